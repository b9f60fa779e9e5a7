/** Codes and tokens of an OAuth proxy that are replayed, injected, stolen or meant for something else. */
import * as oauth from "oauth4webapi";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { MemoryProxyStore } from "../../../runtime/src/auth-proxy/memory-proxy-store.js";
import {
  authorizationUrl,
  authorize,
  type AuthorizationCode,
  logIn,
  metadataOf,
  nativeClient,
  redeem,
  refresh,
  register,
  requestToken,
} from "./log-in.js";
import { http, startProxy, type StartedProxy, TestBrowser } from "./started-proxy.js";

/** How the verifier judges a token. */
async function judge({ proxy, resource }: StartedProxy, token: unknown): Promise<string> {
  try {
    await proxy.verifier.verifyAccessToken(String(token), { resource });
    return "valid";
  } catch (error) {
    return (error as { readonly reason?: string }).reason ?? String(error);
  }
}

describe("authorization codes", () => {
  test("a code that is redeemed twice revokes the tokens of that code, and of no other", async () => {
    const started = await startProxy();
    const { issuer } = started;
    const client = await register(issuer);
    const other = await logIn(started, client);
    const code = await authorize(started, client);
    const first = await redeem(issuer, code);
    expect(await judge(started, first.body["access_token"])).toBe("valid");
    expect(await redeem(issuer, code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await judge(started, first.body["access_token"])).toBe("inactive");
    const refreshed = await refresh(issuer, { ...other, refresh_token: String(first.body["refresh_token"]) });
    expect(refreshed).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await judge(started, other.access_token)).toBe("valid");
  });

  test("of many requests with one code, at most one gets tokens, and they are revoked", async () => {
    const started = await startProxy();
    const code = await authorize(started, await register(started.issuer));
    const responses = await Promise.all(Array.from({ length: 8 }, () => redeem(started.issuer, code)));
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { body } of responses)
      if (body["access_token"] !== undefined) expect(await judge(started, body["access_token"])).toBe("inactive");
  });

  const changes: [string, (code: AuthorizationCode) => Record<string, string | undefined>, string][] = [
    ["an unknown code", () => ({ code: "x".repeat(43) }), "invalid_grant"],
    ["no code", () => ({ code: undefined }), "invalid_request"],
    ["no verifier", () => ({ code_verifier: undefined }), "invalid_grant"],
    ["the verifier of another request", () => ({ code_verifier: oauth.generateRandomCodeVerifier() }), "invalid_grant"],
    ["a verifier with another character", ({ verifier }) => ({ code_verifier: `${verifier}x` }), "invalid_grant"],
    ["another redirect URI", () => ({ redirect_uri: "http://127.0.0.1:10/callback" }), "invalid_grant"],
    ["another resource", () => ({ resource: "https://elsewhere.example/mcp" }), "invalid_target"],
  ];
  test.each(changes)("%s is refused", async (_name, change, error) => {
    const started = await startProxy();
    const code = await authorize(started, await register(started.issuer));
    expect(await redeem(started.issuer, code, change(code))).toMatchObject({ status: 400, body: { error } });
  });

  test("a code for another client is refused, and stays valid for its own", async () => {
    const started = await startProxy();
    const code = await authorize(started, await register(started.issuer));
    const thief = await register(started.issuer);
    expect(await redeem(started.issuer, { ...code, client: thief })).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(await redeem(started.issuer, code)).toMatchObject({ status: 200 });
  });

  test("a code in another browser's session is refused by PKCE", async () => {
    const started = await startProxy();
    const client = await register(started.issuer);
    const victim = await authorize(started, client);
    const attacker = await authorize(started, client);
    const injected = { ...victim, parameters: attacker.parameters };
    expect(await redeem(started.issuer, injected)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  test("the redirect to the client needs the browser that began", async () => {
    const started = await startProxy();
    const client = await register(started.issuer);
    const url = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier());
    const browser = new TestBrowser();
    const consent = new URL((await browser.load(url)).headers.get("location") ?? "", url);
    const resume = new URL((await browser.load(consent)).headers.get("location") ?? "", url);
    const elsewhere = await new TestBrowser().load(resume);
    expect(elsewhere.status).toBe(400);
    expect(elsewhere.headers.get("location")).toBeNull();
    const consentElsewhere = await new TestBrowser().load(consent);
    expect(consentElsewhere.status).toBe(400);
    expect((await browser.load(resume)).headers.get("location")).toContain("code=");
    expect((await browser.load(resume)).status).toBe(400);
  });
});

describe("authorization requests", () => {
  const redirected: [string, Record<string, string | undefined>, string][] = [
    ["no code challenge", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    ["the challenge method plain", { code_challenge_method: "plain" }, "invalid_request"],
    ["no challenge method", { code_challenge_method: undefined }, "invalid_request"],
    ["a challenge that is too short", { code_challenge: "short" }, "invalid_request"],
    ["another resource", { resource: "https://elsewhere.example/mcp" }, "invalid_target"],
    ["a resource that is not a URL", { resource: "mcp" }, "invalid_target"],
    ["an implicit grant", { response_type: "token" }, "unsupported_response_type"],
    ["an ID token", { response_type: "code id_token" }, "unsupported_response_type"],
    ["no response type", { response_type: undefined }, "invalid_request"],
    ["only unknown scopes", { scope: "admin" }, "invalid_scope"],
    ["a response mode that posts", { response_mode: "form_post" }, "unsupported_response_mode"],
    ["a response mode in the fragment", { response_mode: "fragment" }, "unsupported_response_mode"],
    ["no interaction", { prompt: "none" }, "consent_required"],
    ["a request object", { request: "e30.e30." }, "request_not_supported"],
    ["a request object by URL", { request_uri: "https://client.example/request" }, "request_uri_not_supported"],
  ];
  test.each(redirected)(
    "with %s, an error with iss and state is redirected to the client",
    async (_name, changed, error) => {
      const started = await startProxy();
      const client = await register(started.issuer);
      const url = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier(), changed);
      const { location } = await new TestBrowser().visit(url);
      const [clientUrl, reported] = location?.href.split(/[?#]/) ?? [];
      expect(clientUrl).toBe("http://127.0.0.1:9/callback");
      expect(Object.fromEntries(new URLSearchParams(reported))).toMatchObject({
        error,
        iss: started.issuer,
        state: "state of the client",
      });
      expect(started.seen).toEqual([]);
    },
  );

  test("parameters of OpenID Connect and unknown ones have no effect", async () => {
    const started = await startProxy();
    const client = await register(started.issuer);
    const code = await authorize(started, client, {
      scope: "openid offline_access files:read profile",
      nonce: "n",
      max_age: "0",
      claims: "{",
      prompt: "login consent",
      acr_values: "x",
      mcp_scopes: "files:write",
    });
    const { body } = await redeem(started.issuer, code);
    expect(body).toMatchObject({ scope: "files:read" });
    expect(body).not.toHaveProperty("id_token");
    expect(started.seen).toEqual([expect.objectContaining({ promptsConsent: true, scopes: ["files:read"] })]);
  });

  test("the same resource in another spelling is accepted", async () => {
    const started = await startProxy();
    const client = await register(started.issuer);
    const code = await authorize(started, client, { resource: `${started.resource}/` });
    expect(await redeem(started.issuer, code, { resource: started.resource })).toMatchObject({ status: 200 });
  });

  test("two values of a parameter are refused", async () => {
    const started = await startProxy();
    const client = await register(started.issuer);
    const url = await authorizationUrl(started, client, oauth.generateRandomCodeVerifier());
    url.searchParams.append("scope", "files:write");
    const { location } = await new TestBrowser().visit(url);
    expect(location?.searchParams.get("error")).toBe("invalid_request");
    url.searchParams.delete("scope");
    url.searchParams.append("resource", "https://elsewhere.example/mcp");
    const two = await new TestBrowser().visit(url);
    expect(two.location?.searchParams.get("error")).toBe("invalid_target");
  });
});

describe("tokens", () => {
  test("a refresh token that is used twice revokes everything of its log-in", async () => {
    const started = await startProxy();
    const tokens = await logIn(started);
    const second = await refresh(started.issuer, tokens);
    expect(second.status).toBe(200);
    expect(await refresh(started.issuer, tokens)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await judge(started, second.body["access_token"])).toBe("inactive");
    const third = await refresh(started.issuer, { ...tokens, refresh_token: String(second.body["refresh_token"]) });
    expect(third).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  test("refreshes of a log-in are limited, so that used refresh tokens cannot fill the store", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const store = new MemoryProxyStore();
    const started = await startProxy({ store, accessTokenSeconds: 40 });
    let tokens = await logIn(started);
    const other = await logIn(started);
    const again = async (): Promise<number> => {
      const { status, body } = await refresh(started.issuer, tokens);
      if (status === 200) tokens = { ...tokens, refresh_token: String(body["refresh_token"]) };
      else expect(body["error"]).toBe("temporarily_unavailable");
      return status;
    };
    for (let times = 0; times < 100; times++) expect(await again()).toBe(200);
    expect(await again()).toBe(429);
    const kept = store.count("RefreshToken");
    for (let times = 0; times < 10; times++) expect(await again()).toBe(429);
    expect(store.count("RefreshToken")).toBe(kept);
    // The tokens stay valid, and others are not affected.
    expect((await refresh(started.issuer, other)).status).toBe(200);
    vi.setSystemTime(Date.now() + 10_000);
    expect([await again(), await again()]).toEqual([200, 429]);
  });

  test("of many requests with one refresh token, the tokens of at most one are issued, and they are revoked", async () => {
    const started = await startProxy();
    const tokens = await logIn(started);
    const responses = await Promise.all(Array.from({ length: 8 }, () => refresh(started.issuer, tokens)));
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { body } of responses)
      if (body["access_token"] !== undefined) expect(await judge(started, body["access_token"])).toBe("inactive");
  });

  test("another client's refresh token is refused, and stays valid", async () => {
    const started = await startProxy();
    const tokens = await logIn(started);
    const thief = await register(started.issuer);
    expect(await refresh(started.issuer, { ...tokens, client: thief })).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(await refresh(started.issuer, tokens)).toMatchObject({ status: 200 });
  });

  test("a refresh cannot widen the scopes", async () => {
    const started = await startProxy();
    const { client, refresh_token } = await logIn(started);
    const request = { grant_type: "refresh_token", client_id: client.client_id, refresh_token };
    expect(await requestToken(started.issuer, { ...request, scope: "files:write" })).toMatchObject({
      status: 400,
      body: { error: "invalid_scope" },
    });
  });

  test("a client that registered without refresh tokens gets none", async () => {
    const started = await startProxy();
    const client = await register(started.issuer, { ...nativeClient, grant_types: ["authorization_code"] });
    const { body } = await redeem(started.issuer, await authorize(started, client));
    expect(body).not.toHaveProperty("refresh_token");
  });

  test("all tokens of an account end together, in all clients, and those of no other account", async () => {
    let accountId = "ada";
    const started = await startProxy({ decide: () => ({ accountId }) });
    const own = [await logIn(started), await logIn(started)];
    accountId = "bob";
    const other = await logIn(started);
    await started.parts.revokeAccount("ada");
    for (const tokens of own) {
      expect(await judge(started, tokens.access_token)).toBe("inactive");
      expect(await refresh(started.issuer, tokens)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    }
    expect(await judge(started, other.access_token)).toBe("valid");
  });

  test("another client cannot revoke a token", async () => {
    const started = await startProxy();
    const { access_token } = await logIn(started);
    const other = await register(started.issuer);
    const metadata = await metadataOf(started.issuer);
    await oauth.revocationRequest(metadata, other, oauth.None(), access_token, http);
    expect(await judge(started, access_token)).toBe("valid");
  });

  test.each<[string, (tokens: { access_token: string; refresh_token: string }) => string, string]>([
    ["an empty token", () => "", "malformed"],
    ["a text", () => "not a token", "malformed"],
    ["a JWT", () => "eyJhbGciOiJub25lIn0.e30.", "malformed"],
    ["a very long token", () => "x".repeat(100_000), "malformed"],
    ["an unknown token", () => "x".repeat(43), "inactive"],
    ["a refresh token", ({ refresh_token }) => refresh_token, "inactive"],
    ["a token in upper case", ({ access_token }) => access_token.toUpperCase(), "inactive"],
  ])("%s is not an access token", async (_name, choose, reason) => {
    const started = await startProxy();
    expect(await judge(started, choose(await logIn(started)))).toBe(reason);
  });

  test("a token for another resource is refused", async () => {
    const { proxy, ...started } = await startProxy();
    const { access_token } = await logIn({ proxy, ...started });
    await expect(
      proxy.verifier.verifyAccessToken(access_token, { resource: "https://elsewhere.example/mcp" }),
    ).rejects.toMatchObject({ reason: "audience" });
  });

  test("a principal of another issuer gets no tokens of the provider", async () => {
    const { proxy } = await startProxy();
    await expect(proxy.upstreamTokens({ issuer: "https://elsewhere.example", subject: "ada" })).rejects.toMatchObject({
      code: "INVALID_CONFIGURATION",
    });
    await expect(proxy.upstreamTokens({})).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
  });

  test("a token that is bound to a key names it", async () => {
    const started = await startProxy();
    const client = await register(started.issuer);
    const metadata = await metadataOf(started.issuer);
    const { verifier, parameters, redirectUri } = await authorize(started, client);
    const keys = await oauth.generateKeyPair("ES256");
    const DPoP = oauth.DPoP(client, keys);
    const response = await oauth.authorizationCodeGrantRequest(
      metadata,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      verifier,
      { ...http, DPoP },
    );
    const { access_token, token_type } = await oauth.processAuthorizationCodeResponse(metadata, client, response);
    expect(token_type).toBe("dpop");
    const { keyThumbprint } = await started.proxy.verifier.verifyAccessToken(access_token, {
      resource: started.resource,
    });
    expect(keyThumbprint).toBe(await DPoP.calculateThumbprint());
  });
});

test("the store contains no code, no token and no secret", async () => {
  const written: string[] = [];
  class WatchedStore extends MemoryProxyStore {
    override set(...values: Parameters<MemoryProxyStore["set"]>): void {
      written.push(JSON.stringify(values));
      super.set(...values);
    }
  }
  const started = await startProxy({ store: new WatchedStore() });
  const client = await register(started.issuer, { ...nativeClient, token_endpoint_auth_method: "client_secret_post" });
  const code = await authorize(started, client);
  const { body } = await redeem(started.issuer, code, { client_secret: client["client_secret"] as string });
  const secrets = [code.parameters.get("code"), body["access_token"], body["refresh_token"], client["client_secret"]];
  expect(written.length).toBeGreaterThan(5);
  for (const secret of secrets) expect(written.filter((text) => text.includes(String(secret)))).toEqual([]);
  // Three letters can be in an encrypted text by chance, but not as a word.
  expect(written.filter((text) => /\bada\b/.test(text))).toEqual([]);
});
