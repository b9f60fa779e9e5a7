/** The authorization server of the tests behaves as its options say, seen by another client library. */
import * as oauth from "oauth4webapi";
import type { ClientMetadata } from "oidc-provider";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AuthServer, type AuthServerOptions, startAuthServer } from "./auth-server.js";
import { FormUser } from "./form-user.js";
import { type ProtectedServer, type ProtectedServerOptions, startProtectedServer } from "./protected-server.js";

const http = { [oauth.allowInsecureRequests]: true };
const redirectUri = "http://127.0.0.1:9/callback";
const native = {
  client_name: "tests",
  application_type: "native",
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
} satisfies Partial<ClientMetadata>;
const documentUrl = "https://client.example/metadata.json";
const document = { ...native, client_id: documentUrl };

async function start(
  options: AuthServerOptions,
  served: ProtectedServerOptions = {},
): Promise<{ auth: AuthServer; server: ProtectedServer; metadata: oauth.AuthorizationServer }> {
  const auth = await startAuthServer(options);
  onTestFinished(() => auth.close());
  const server = await startProtectedServer(auth, served);
  onTestFinished(() => server.close());
  const issuer = new URL(auth.issuer);
  const found = await oauth.discoveryRequest(issuer, { ...http, algorithm: "oauth2" });
  return { auth, server, metadata: await oauth.processDiscoveryResponse(issuer, found) };
}

/** Logs in as a user does. */
async function logIn(
  metadata: oauth.AuthorizationServer,
  client: oauth.Client,
  resource: string,
  DPoP?: oauth.DPoPHandle,
): Promise<oauth.TokenEndpointResponse> {
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(metadata.authorization_endpoint ?? "");
  url.search = String(
    new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: "code",
      prompt: "consent",
      scope: "files:read offline_access",
      resource,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state: "state",
    }),
  );
  const callback = await new FormUser().authorize(url);
  const parameters = oauth.validateAuthResponse(metadata, client, callback, "state");
  const options = { ...http, additionalParameters: { resource }, ...(DPoP && { DPoP }) };
  const redeem = async (): Promise<oauth.TokenEndpointResponse> => {
    const response = await oauth.authorizationCodeGrantRequest(
      metadata,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      verifier,
      options,
    );
    return oauth.processAuthorizationCodeResponse(metadata, client, response);
  };
  return redeem().catch((error: unknown) => {
    if (oauth.isDPoPNonceError(error)) return redeem();
    throw error;
  });
}

async function statusWith(server: ProtectedServer, headers: Record<string, string>): Promise<[number, string]> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
  const response = await fetch(server.url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body,
  });
  await response.text();
  return [response.status, response.headers.get("www-authenticate") ?? ""];
}

test("it announces itself and its features", async () => {
  const { auth, metadata } = await start({ registration: true });
  expect(metadata).toMatchObject({
    issuer: auth.issuer,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    dpop_signing_alg_values_supported: expect.arrayContaining(["ES256"]) as unknown,
    scopes_supported: expect.arrayContaining(["offline_access"]) as unknown,
  });
  expect(metadata.registration_endpoint).toBeDefined();
});

describe("three ways to know a client", () => {
  test("registration", async () => {
    const { auth, server, metadata } = await start({ registration: true });
    const response = await oauth.dynamicClientRegistrationRequest(metadata, native, http);
    const client = await oauth.processDynamicClientRegistrationResponse(response);
    const { access_token } = await logIn(metadata, client, server.url.href);
    expect(await statusWith(server, { authorization: `Bearer ${access_token}` })).toEqual([200, ""]);
    expect(auth.events).toEqual(["register", "page", "granted authorization_code"]);
  });

  test("in advance", async () => {
    const { server, metadata } = await start({ clients: [{ ...native, client_id: "desk" }] });
    expect(metadata.registration_endpoint).toBeUndefined();
    await expect(logIn(metadata, { client_id: "desk" }, server.url.href)).resolves.toMatchObject({
      scope: "files:read",
      refresh_token: expect.any(String) as unknown,
    });
  });

  test("a metadata document", async () => {
    const { server, metadata } = await start({ documents: { [documentUrl]: document } });
    expect(metadata["client_id_metadata_document_supported"]).toBe(true);
    await expect(logIn(metadata, { client_id: documentUrl }, server.url.href)).resolves.toHaveProperty("access_token");
  });
});

test("the protected server says what it needs", async () => {
  const { server } = await start({});
  const metadata = `${server.url.origin}/.well-known/oauth-protected-resource/mcp`;
  expect(await statusWith(server, {})).toEqual([401, `Bearer scope="files:read", resource_metadata="${metadata}"`]);
  expect(await statusWith(server, { authorization: "Bearer x" })).toEqual([
    401,
    `Bearer error="invalid_token", scope="files:read", resource_metadata="${metadata}", error_description="the token is not a JWT"`,
  ]);
  expect(server.responses).toEqual(["401 no token", "401 invalid_token"]);
});

test("a revoked opaque token is rejected", async () => {
  const client = { client_id: "desk" };
  const { auth, server, metadata } = await start({ clients: [{ ...native, ...client }] }, { tokens: "opaque" });
  const { access_token } = await logIn(metadata, client, server.url.href);
  const headers = { authorization: `Bearer ${access_token}` };
  expect(await statusWith(server, headers)).toEqual([200, ""]);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(metadata, client, oauth.None(), access_token, http),
  );
  expect((await statusWith(server, headers))[0]).toBe(401);
  expect(auth.events.at(-1)).toBe("revoked");
});

test("a DPoP-bound token needs its key, and the newest nonce", async () => {
  const client = { client_id: "desk" };
  const { auth, server, metadata } = await start(
    { clients: [{ ...native, ...client }], dpopNonces: true },
    { dpop: "nonces" },
  );
  const DPoP = oauth.DPoP({}, await oauth.generateKeyPair("ES256"));
  const { access_token, token_type } = await logIn(metadata, client, server.url.href, DPoP);
  expect(token_type).toBe("dpop");
  expect(auth.events).toContain("refused use_dpop_nonce");
  const request = (): Promise<Response> =>
    oauth.protectedResourceRequest(access_token, "POST", server.url, undefined, "{}", { ...http, DPoP });
  await expect(request()).rejects.toThrow();
  await (await request()).text(); // authorized, but not a message
  expect(server.responses[0]).toBe("401 use_dpop_nonce");
  expect(server.responses[1]).toBe("415");
  expect((await statusWith(server, { authorization: `Bearer ${access_token}` }))[0]).toBe(401);
});

describe("assertions of another issuer", () => {
  const service = {
    client_id: "desk",
    client_secret: "secret",
    response_types: [],
    redirect_uris: [],
  } satisfies ClientMetadata;
  const exchange = { ...service, grant_types: ["urn:ietf:params:oauth:grant-type:token-exchange"] };
  const bearer = { ...service, grant_types: ["urn:ietf:params:oauth:grant-type:jwt-bearer"] };
  const client = { client_id: service.client_id };
  const authentication = oauth.ClientSecretBasic(service.client_secret);

  test("an identity provider vouches for a user of its own", async () => {
    const provider = await startAuthServer({ clients: [exchange], exchange: { desk: "desk" } });
    onTestFinished(() => provider.close());
    const { server, metadata } = await start({ clients: [bearer], trustedIssuers: [provider.issuer] });
    const grant = async (at: oauth.AuthorizationServer, type: string, parameters: Record<string, string>) => {
      const request = { resource: server.url.href, scope: "files:read", ...parameters };
      const response = await oauth.genericTokenEndpointRequest(at, client, authentication, type, request, http);
      return oauth.processGenericTokenEndpointResponse(at, client, response, {
        recognizedTokenTypes: { n_a: () => undefined },
      });
    };
    const idp = { issuer: provider.issuer, token_endpoint: `${provider.issuer}/token` };
    const { access_token: assertion } = await grant(idp, "urn:ietf:params:oauth:grant-type:token-exchange", {
      requested_token_type: "urn:ietf:params:oauth:token-type:id-jag",
      audience: metadata.issuer,
      subject_token: await provider.sign({ sub: "ada", aud: client.client_id }),
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    });
    const { access_token } = await grant(metadata, "urn:ietf:params:oauth:grant-type:jwt-bearer", { assertion });
    expect(await statusWith(server, { authorization: `Bearer ${access_token}` })).toEqual([200, ""]);
    const forged = { assertion: await provider.sign({ sub: "ada", aud: "https://elsewhere.example" }) };
    await expect(grant(metadata, "urn:ietf:params:oauth:grant-type:jwt-bearer", forged)).rejects.toMatchObject({
      error: "invalid_grant",
    });
  });
});
