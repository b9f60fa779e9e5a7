import { challenge, verifier } from "./program.js";
import { encode, type Form, type Step } from "./requests.js";

const callback = "https://app.example/callback";
const request = {
  response_type: "code",
  client_id: "public",
  code_challenge: challenge,
  code_challenge_method: "S256",
};

function authorize(changes: Form = {}, ...left: string[]): Step {
  const form = Object.fromEntries(Object.entries({ ...request, ...changes }).filter(([name]) => !left.includes(name)));
  return { path: `/authorize?${encode(form)}` };
}

function token(form: Form): Step {
  return { path: "/token", form: { client_id: "public", ...form } };
}

const grant = { grant_type: "authorization_code", code: "code-0", code_verifier: verifier };
const refresh = { grant_type: "refresh_token", refresh_token: "refresh-0" };
const metadata = { redirect_uris: [callback], client_name: "An application" };

/** Conversations with an authorization server, by what they are about. */
export const conversations: Readonly<Record<string, readonly Step[]>> = {
  "a log-in from the code to the revocation": [
    authorize({ redirect_uri: callback, state: "s", scope: "read write", resource: "https://api.example/mcp" }),
    token({ ...grant, redirect_uri: callback, resource: "https://api.example/mcp" }),
    token(grant),
    token({ ...refresh, scope: "read", resource: "https://api.example/mcp" }),
    token(refresh),
    { path: "/revoke", form: { client_id: "public", token: "refresh-1", token_type_hint: "refresh_token" } },
    token({ ...refresh, refresh_token: "refresh-1" }),
  ],
  "an authorization request in a body": [
    { path: "/authorize", form: { ...request, state: "s" } },
    { path: "/authorize", method: "POST" },
    { path: "/authorize", json: request },
  ],
  "a provider that asks for consent": [authorize({ scope: "consent", state: "s" })],
  "a provider that refuses or fails": [
    authorize({ scope: "forbidden", state: "s" }),
    authorize({ scope: "broken", state: "s" }),
    authorize({ scope: "broken" }),
  ],
  "clients that are unknown": [
    authorize({ client_id: "unknown" }),
    authorize({}, "client_id"),
    authorize({ client_id: ["public", "other"] }),
    authorize({ client_id: "broken" }),
    token({ ...grant, client_id: "unknown" }),
    token({ ...grant, client_id: "broken" }),
    { path: "/token", form: grant },
    { path: "/token", method: "POST" },
    { path: "/revoke", form: { client_id: "unknown", token: "t" } },
  ],
  "URLs of clients": [
    authorize({ redirect_uri: "https://evil.example/callback" }),
    authorize({ redirect_uri: `${callback}/more` }),
    authorize({ redirect_uri: `${callback}?more=1` }),
    authorize({ redirect_uri: "https://app.example:8443/callback" }),
    authorize({ redirect_uri: "javascript:alert(1)" }),
    authorize({ redirect_uri: "not a url" }),
    authorize({ client_id: "several" }),
    authorize({ client_id: "several", redirect_uri: "https://app.example/other" }),
    authorize({ client_id: "scheme" }),
    authorize({ client_id: "native" }),
    authorize({ client_id: "native", redirect_uri: "http://127.0.0.1:1234/callback?a=1" }),
    authorize({ client_id: "native", redirect_uri: "http://localhost:1234/callback?a=1" }),
    authorize({ client_id: "native", redirect_uri: "http://127.0.0.1:1234/callback" }),
    authorize({ client_id: "native", redirect_uri: "https://127.0.0.1:1234/callback?a=1" }),
  ],
  "malformed authorization requests": [
    authorize({}, "response_type"),
    authorize({ response_type: "token" }),
    authorize({}, "code_challenge"),
    authorize({ code_challenge_method: "plain" }),
    authorize({ resource: "not a url" }),
    authorize({ scope: ["a", "b"] }),
  ],
  "secrets of clients": [
    authorize({ client_id: "confidential" }),
    token({ ...grant, client_id: "confidential" }),
    token({ ...grant, client_id: "confidential", client_secret: "" }),
    token({ ...grant, client_id: "confidential", client_secret: "wrong" }),
    token({ ...grant, client_id: "confidential", client_secret: ["a secret", "a secret"] }),
    token({ ...grant, client_id: "confidential", client_secret: "a secret" }),
    token({ ...refresh, client_id: "unlimited", client_secret: "a secret" }),
    token({ ...refresh, client_id: "expired", client_secret: "a secret" }),
    token({ ...refresh, client_id: "public", client_secret: "not needed" }),
    { path: "/revoke", form: { client_id: "confidential", client_secret: "wrong", token: "t" } },
    { path: "/revoke", form: { client_id: "expired", client_secret: "a secret", token: "t" } },
  ],
  "verifiers that do not match": [
    authorize(),
    token({ ...grant, code_verifier: `${verifier}x` }),
    token({ ...grant, code_verifier: challenge }),
    token({ ...grant, code_verifier: "" }),
    token({ grant_type: "authorization_code", code: "code-0" }),
    token({ ...grant, code: "unknown" }),
    token(grant),
  ],
  "malformed token requests": [
    token({}),
    token({ grant_type: "client_credentials" }),
    token({ grant_type: "__proto__" }),
    token({ grant_type: ["authorization_code", "refresh_token"] }),
    token({ ...grant, resource: "not a url" }),
    token({ grant_type: "refresh_token" }),
    token({ ...refresh, resource: "not a url" }),
    token({ ...refresh, refresh_token: "unknown" }),
    token({ ...refresh, refresh_token: "broken" }),
    { path: "/token", json: { ...grant, client_id: "public" } },
    { path: "/revoke", form: { client_id: "public" } },
    { path: "/revoke", form: { client_id: "public", token: ["a", "b"] } },
  ],
  registration: [
    { path: "/register", json: metadata },
    { path: "/register", json: { ...metadata, token_endpoint_auth_method: "none", client_secret: "mine", odd: 1 } },
    { path: "/register", json: {} },
    { path: "/register", json: [] },
    { path: "/register", json: { redirect_uris: ["javascript:alert(1)"] } },
    { path: "/register", json: { redirect_uris: ["not a url"] } },
    { path: "/register", json: { ...metadata, client_uri: "javascript:alert(1)" } },
    { path: "/register", form: { redirect_uris: callback } },
    { path: "/register", method: "POST" },
  ],
  "other methods": [
    { path: "/authorize", method: "PUT" },
    { path: "/authorize", method: "DELETE" },
    { path: "/token" },
    { path: "/token", method: "PUT" },
    { path: "/register" },
    { path: "/revoke", method: "DELETE" },
    { path: "/.well-known/oauth-authorization-server", method: "POST" },
    { path: "/.well-known/oauth-protected-resource/mcp", method: "DELETE" },
  ],
  "scripts of other origins": [
    ...["/token", "/register", "/revoke", "/.well-known/oauth-authorization-server"].map((path) => ({
      path,
      method: "OPTIONS",
      headers: { origin: "https://app.example", "access-control-request-headers": "content-type,x-own" },
    })),
    { path: "/authorize", method: "OPTIONS", headers: { origin: "https://app.example" } },
    { ...token(grant), headers: { origin: "https://app.example" } },
  ],
  metadata: [
    { path: "/.well-known/oauth-authorization-server" },
    { path: "/.well-known/oauth-protected-resource/mcp" },
    { path: "/.well-known/oauth-protected-resource" },
    { path: "/.well-known/openid-configuration" },
  ],
};
