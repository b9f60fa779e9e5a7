import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { pairs, type Sdk } from "./packages.js";
import { challenge, makeApp, verifier } from "./program.js";
import { type Answer, listen, send, type Step } from "./requests.js";

interface Received {
  readonly line: string;
  readonly type: string | undefined;
  readonly body: unknown;
}

/** The other authorization server. The code `refused` gets an error. */
function otherServer(received: Received[]): RequestListener {
  const answers: Readonly<Record<string, object>> = {
    "/token": { access_token: "a", token_type: "bearer", expires_in: "60", issuer: "https://evil.example", odd: 1 },
    "/register": { client_id: "made", redirect_uris: ["https://app.example/callback"], issuer: "https://evil.example" },
    "/revoke": {},
  };
  return (request, response) => {
    void (async () => {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk as string;
      const type = request.headers["content-type"];
      const isJson = type === "application/json";
      const body: unknown = isJson ? JSON.parse(text) : [...new URLSearchParams(text)].sort();
      received.push({ line: `${request.method} ${request.url}`, type, body });
      const isRefused = text.includes("refused");
      response.writeHead(isRefused ? 400 : 200, { "content-type": "application/json" });
      const answer = text.includes("invalid-answer") ? {} : answers[request.url ?? ""];
      response.end(isRefused ? '{"error":"a secret of the other server"}' : JSON.stringify(answer));
    })();
  };
}

async function converse(sdk: Sdk, steps: readonly Step[]): Promise<{ answers: Answer[]; received: Received[] }> {
  const received: Received[] = [];
  const other = await listen(otherServer(received));
  const provider = new sdk.ProxyOAuthServerProvider({
    endpoints: {
      authorizationUrl: "https://other.example/authorize?tenant=lost",
      tokenUrl: `${other}/token`,
      revocationUrl: `${other}/revoke`,
      registrationUrl: `${other}/register`,
    },
    verifyAccessToken: (token) => Promise.resolve({ token, clientId: "c", scopes: [] }),
    getClient: (client_id) =>
      Promise.resolve({
        client_id,
        redirect_uris: ["https://app.example/callback"],
        ...(client_id === "confidential" && { client_secret: "a secret" }),
      }),
  });
  const base = await listen(makeApp(sdk, { provider }));
  const answers: Answer[] = [];
  for (const step of steps) answers.push(await send(base, step));
  return { answers, received };
}

const query = `response_type=code&code_challenge_method=S256&code_challenge=${challenge}`;
const grant = { grant_type: "authorization_code", code: "code", code_verifier: verifier };
const secret = { client_id: "confidential", client_secret: "a secret" };

const conversations: Readonly<Record<string, readonly Step[]>> = {
  "authorization requests": [
    { path: `/authorize?client_id=public&${query}` },
    { path: `/authorize?client_id=public&${query}&state=s&scope=a+b&resource=https://api.example/mcp` },
    { path: `/authorize?client_id=public&${query}&redirect_uri=https://evil.example/` },
  ],
  "codes and refresh tokens": [
    { path: "/token", form: { client_id: "public", ...grant } },
    { path: "/token", form: { ...secret, ...grant, redirect_uri: "https://a.example", resource: "https://r.example" } },
    { path: "/token", form: { ...secret, ...grant, code: "refused" } },
    { path: "/token", form: { ...secret, ...grant, code: "invalid-answer" } },
    { path: "/token", form: { client_id: "public", grant_type: "refresh_token", refresh_token: "r" } },
    { path: "/token", form: { ...secret, grant_type: "refresh_token", refresh_token: "r", scope: "a b" } },
    { path: "/token", form: { ...secret, grant_type: "refresh_token", refresh_token: "refused" } },
  ],
  revocation: [
    { path: "/revoke", form: { client_id: "public", token: "t" } },
    { path: "/revoke", form: { ...secret, token: "t", token_type_hint: "access_token" } },
    { path: "/revoke", form: { ...secret, token: "refused" } },
  ],
  registration: [
    { path: "/register", json: { redirect_uris: ["https://app.example/callback"], client_name: "n" } },
    { path: "/register", json: { redirect_uris: ["https://app.example/callback"], client_name: "refused" } },
    { path: "/register", json: { redirect_uris: ["https://app.example/callback"], client_name: "invalid-answer" } },
  ],
  metadata: [{ path: "/.well-known/oauth-authorization-server" }],
};

/** Ids, secrets and times are generated. */
function withoutChance(received: readonly Received[]): unknown {
  return received.map(({ body, ...rest }) =>
    Array.isArray(body) ? { ...rest, body } : { ...rest, body: Object.keys(body as object).sort() },
  );
}

describe.each(pairs)("%s", (_name, official, ours) => {
  test.each(Object.entries(conversations))("%s", async (_about, steps) => {
    const [expected, found] = await Promise.all([official, ours].map((sdk) => converse(sdk, steps)));
    expect(found?.answers).toEqual(expected?.answers);
    expect(withoutChance(found?.received ?? [])).toEqual(withoutChance(expected?.received ?? []));
    for (const { body } of found?.answers ?? []) expect(body).not.toContain("a secret of the other server");
  });

  test("sends its requests with the given function, and has the same members", async () => {
    const options = (calls: string[]): ConstructorParameters<Sdk["ProxyOAuthServerProvider"]>[0] => ({
      endpoints: { authorizationUrl: "https://other.example/authorize", tokenUrl: "https://other.example/token" },
      verifyAccessToken: (token) => Promise.resolve({ token, clientId: "c", scopes: [] }),
      getClient: () => Promise.resolve(undefined),
      fetch: (url) => {
        calls.push(String(url));
        return Promise.resolve(Response.json({ access_token: "a", token_type: "bearer" }));
      },
    });
    const described = async (sdk: Sdk): Promise<unknown> => {
      const calls: string[] = [];
      const provider = new sdk.ProxyOAuthServerProvider(options(calls));
      const tokens = await provider.exchangeRefreshToken({ client_id: "c", redirect_uris: [] }, "r");
      const { skipLocalPkceValidation, revokeToken, clientsStore } = provider;
      const verified = await provider.verifyAccessToken("t");
      return [tokens, calls, skipLocalPkceValidation, revokeToken, Object.keys(clientsStore), verified];
    };
    expect(await described(ours)).toEqual(await described(official));
  });
});
