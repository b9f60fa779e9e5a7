import { describe, expect, test } from "vitest";
import {
  adaptOAuthClientProvider,
  type AdaptedProviderOptions,
  type AdaptedOAuthProvider,
  type OAuthClientProvider,
  UnauthorizedError,
} from "../../../../runtime/src/auth.js";
import { FakeResourceServer } from "../fake-resource-server.js";
import { CodeFlowFixture, redirectUri, refusal } from "../providers/code-flow-fixture.js";
import { ProgramProvider, type Stored } from "./program-provider.js";

const issuer = "https://auth.example.com";

function adapt(fixture: CodeFlowFixture, provider: OAuthClientProvider): AdaptedOAuthProvider {
  return adaptOAuthClientProvider(provider, { fetch: fixture.network.fetch });
}

/** Starts a log-in by a request, and returns the callback. */
async function started(fixture: CodeFlowFixture, provider: ProgramProvider): Promise<URL> {
  const error = await fixture.call(adapt(fixture, provider)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnauthorizedError);
  const page = provider.pages.at(-1);
  expect((error as UnauthorizedError).data.authorizationUrl).toBe(page?.href);
  return fixture.authorizationServer.visit(page ?? "");
}

async function loggedIn(fixture: CodeFlowFixture, stored: Stored = {}): Promise<ProgramProvider> {
  const provider = new ProgramProvider(stored);
  const callback = await started(fixture, provider);
  await adapt(fixture, provider).finishAuth(callback.searchParams);
  return provider;
}

describe("a log-in", () => {
  test("shows the page, fails the request, and continues with the callback", async () => {
    const fixture = new CodeFlowFixture();
    const provider = new ProgramProvider();
    const callback = await started(fixture, provider);
    const [page] = provider.pages;
    expect(page?.searchParams.get("code_challenge_method")).toBe("S256");
    expect(page?.searchParams.get("resource")).toBe(fixture.url.href);
    expect(page?.searchParams.get("scope")?.split(" ")).toContain("profile");
    await adapt(fixture, provider).finishAuth(callback.searchParams);
    expect(await fixture.call(adapt(fixture, provider))).toBe(200);
    expect(provider.pages).toHaveLength(1);
  });

  test("keeps everything in the provider, with the issuer", async () => {
    const fixture = new CodeFlowFixture();
    const { stored } = await loggedIn(fixture);
    const { client, tokens, discovery } = stored;
    expect(client).toMatchObject({ issuer, redirect_uris: [redirectUri] });
    expect(fixture.authorizationServer.clients.has(client?.client_id ?? "")).toBe(true);
    expect(tokens).toMatchObject({ issuer, token_type: "Bearer", expires_in: 3600 });
    expect(fixture.authorizationServer.accessTokens.has(tokens?.access_token ?? "")).toBe(true);
    expect(discovery).toMatchObject({ authorizationServerUrl: issuer, serverUrl: fixture.url.href });
    expect(JSON.stringify(discovery)).not.toContain(stored.verifier);
  });

  test("registers the application with its metadata", async () => {
    const fixture = new CodeFlowFixture();
    await loggedIn(fixture);
    expect(JSON.parse(fixture.network.requests("register")[0]?.body ?? "{}")).toMatchObject({
      client_name: "Program",
      redirect_uris: [redirectUri],
      scope: "profile",
    });
  });

  test("finishes in another process that has what the program has stored", async () => {
    const fixture = new CodeFlowFixture();
    const stored: Stored = {};
    const callback = await started(fixture, new ProgramProvider(stored));
    const other = new ProgramProvider(stored);
    await adapt(fixture, other).finishAuth(callback.searchParams);
    expect(await fixture.call(adapt(fixture, new ProgramProvider(stored)))).toBe(200);
    expect(fixture.network.requests("register")).toHaveLength(1);
  });

  test("finishes once", async () => {
    const fixture = new CodeFlowFixture();
    const provider = new ProgramProvider();
    const { searchParams } = await started(fixture, provider);
    await adapt(fixture, provider).finishAuth(searchParams);
    await expect(adapt(fixture, provider).finishAuth(searchParams)).rejects.toEqual(refusal("state-mismatch"));
    const other = new ProgramProvider(provider.stored);
    await expect(adapt(fixture, other).finishAuth(searchParams)).rejects.toEqual(refusal("state-mismatch"));
    expect(fixture.network.requests("/token")).toHaveLength(1);
  });

  test("that could not show the page cannot be finished", async () => {
    const fixture = new CodeFlowFixture();
    const provider = new ProgramProvider();
    provider.redirectToAuthorization = () => {
      throw new Error("there is no browser");
    };
    await expect(fixture.call(adapt(fixture, provider))).rejects.toThrow();
    expect(provider.stored.discovery?.login).toBeUndefined();
    await expect(adapt(fixture, provider).finishAuth("code")).rejects.toEqual(refusal("state-mismatch", /no log-in/));
  });

  test("finishes by the code, of which the program has compared the state", async () => {
    const fixture = new CodeFlowFixture();
    const provider = new ProgramProvider();
    const callback = await started(fixture, provider);
    await adapt(fixture, provider).finishAuth(callback.searchParams.get("code") ?? "", issuer);
    expect(await fixture.call(adapt(fixture, provider))).toBe(200);
  });

  test("sends the state of the provider, and accepts no other", async () => {
    const fixture = new CodeFlowFixture();
    const provider = Object.assign(new ProgramProvider(), { state: () => "state of the program & more" });
    const callback = await started(fixture, provider);
    expect(callback.searchParams.get("state")).toBe("state of the program & more");
    const forged = new URLSearchParams([...callback.searchParams, ["state", "another"]]);
    for (const wrong of [new URLSearchParams({ code: "stolen", iss: issuer, state: "other" }), forged])
      await expect(adapt(fixture, provider).finishAuth(wrong)).rejects.toThrow(/callback URL cannot be used/);
    const other = Object.assign(new ProgramProvider(provider.stored), { state: () => "unused" });
    await adapt(fixture, other).finishAuth(callback.searchParams);
    expect(await fixture.call(adapt(fixture, provider))).toBe(200);
  });
});

describe("checks", () => {
  test("need the state in the parameters of a callback", async () => {
    const fixture = new CodeFlowFixture();
    const provider = new ProgramProvider();
    const { searchParams } = await started(fixture, provider);
    searchParams.delete("state");
    await expect(adapt(fixture, provider).finishAuth(searchParams)).rejects.toEqual(refusal("state-mismatch"));
  });

  test("need the issuer where the authorization server announces it", async () => {
    const fixture = new CodeFlowFixture();
    for (const wrong of [undefined, "https://evil.example.com"]) {
      const provider = new ProgramProvider();
      const callback = await started(fixture, provider);
      const code = callback.searchParams.get("code") ?? "";
      const finished = adapt(fixture, provider).finishAuth(code, wrong);
      await expect(finished).rejects.toEqual(refusal("issuer-mismatch"));
    }
    expect(fixture.network.requests("/token")).toHaveLength(0);
  });

  test("reject authorization servers without PKCE", async () => {
    const fixture = new CodeFlowFixture({ metadata: { code_challenge_methods_supported: ["plain"] } });
    const provider = new ProgramProvider();
    await expect(fixture.call(adapt(fixture, provider))).rejects.toEqual(refusal("pkce-unsupported"));
    expect(provider.pages).toEqual([]);
  });

  test("never use a client or tokens of another authorization server", async () => {
    const fixture = new CodeFlowFixture();
    const provider = new ProgramProvider({
      client: { client_id: "other", client_secret: "secret", issuer: "https://other.example.com" },
      tokens: { access_token: "foreign", token_type: "Bearer", issuer: "https://other.example.com" },
    });
    await started(fixture, provider);
    expect(provider.pages[0]?.searchParams.get("client_id")).not.toBe("other");
    expect(JSON.stringify(fixture.network.seen)).not.toMatch(/secret"|other"/);
  });

  test("never send tokens of one MCP server to another", async () => {
    const fixture = new CodeFlowFixture();
    const { stored } = await loggedIn(fixture);
    const other = new FakeResourceServer(
      fixture.network,
      [fixture.authorizationServer],
      "https://other.example.com/mcp",
    );
    for (const provider of [new ProgramProvider(stored)])
      expect(await adapt(fixture, provider).token({ url: new URL(other.url) })).toBeUndefined();
  });

  test("reject a callback without a log-in", async () => {
    const fixture = new CodeFlowFixture();
    const finished = adapt(fixture, new ProgramProvider()).finishAuth("code");
    await expect(finished).rejects.toEqual(refusal("state-mismatch", /no log-in is in progress/));
  });
});

describe("stored credentials", () => {
  test("are refreshed with the refresh token, and saved", async () => {
    const fixture = new CodeFlowFixture();
    const provider = await loggedIn(fixture);
    const before = provider.tokens()?.access_token;
    fixture.authorizationServer.expireAccessTokens();
    // A restart: all that is known is what the program has stored.
    expect(await fixture.call(adapt(fixture, new ProgramProvider(provider.stored)))).toBe(200);
    expect(provider.tokens()?.access_token).not.toBe(before);
    expect(provider.pages).toHaveLength(1);
  });

  test("are no longer sent when the program deletes them", async () => {
    const fixture = new CodeFlowFixture();
    const provider = await loggedIn(fixture);
    provider.invalidateCredentials("all");
    expect(await adapt(fixture, provider).token({ url: fixture.url })).toBeUndefined();
    await started(fixture, provider);
    expect(provider.pages).toHaveLength(2);
  });

  test("are those that the program has put in their place", async () => {
    const fixture = new CodeFlowFixture();
    const provider = await loggedIn(fixture);
    const other = await loggedIn(fixture);
    provider.stored.tokens = other.stored.tokens;
    const token = await adapt(fixture, provider).token({ url: fixture.url });
    expect(token).toBe(other.stored.tokens?.access_token);
    provider.invalidateCredentials("tokens");
    expect(await adapt(fixture, provider).tokens(fixture.url)).toBeUndefined();
  });

  test("are deleted by a log-out", async () => {
    const fixture = new CodeFlowFixture();
    const provider = await loggedIn(fixture);
    await adapt(fixture, provider).logout(fixture.url);
    expect(provider.stored.tokens).toBeUndefined();
    expect(fixture.authorizationServer.accessTokens.size).toBe(0);
  });

  test("of a client that was registered by hand are used, and the application never registers", async () => {
    const fixture = new CodeFlowFixture();
    fixture.authorizationServer.addClient({ clientId: "by-hand", clientSecret: "secret", redirectUris: [redirectUri] });
    const provider: OAuthClientProvider & ProgramProvider = new ProgramProvider({
      client: { client_id: "by-hand", client_secret: "secret" },
    });
    Object.defineProperty(provider, "saveClientInformation", { value: undefined });
    const callback = await started(fixture, provider);
    await adapt(fixture, provider).finishAuth(callback.searchParams);
    expect(await fixture.call(adapt(fixture, provider))).toBe(200);
    expect(fixture.network.requests("register")).toHaveLength(0);
    expect(callback.searchParams.has("code")).toBe(true);
  });
});

test("one provider has one adapter", () => {
  const provider = new ProgramProvider();
  expect(adaptOAuthClientProvider(provider)).toBe(adaptOAuthClientProvider(provider));
});

test("options belong to the first call: later ones may repeat them, or leave them out", () => {
  const provider = new ProgramProvider();
  const first = adaptOAuthClientProvider(provider, { timeoutMs: 1_000, loginTimeoutMs: 60_000 });
  for (const options of [undefined, {}, { timeoutMs: 1_000 }, { timeoutMs: undefined }])
    expect(adaptOAuthClientProvider(provider, options as AdaptedProviderOptions)).toBe(first);
  expect(() => adaptOAuthClientProvider(provider, { timeoutMs: 2_000, maxDocumentBytes: 10 })).toThrow(
    /another value of timeoutMs, maxDocumentBytes: pass options to its first call/,
  );
  expect(adaptOAuthClientProvider(new ProgramProvider(), { timeoutMs: 2_000 })).not.toBe(first);
});

test.each([
  [{ redirectUrl: undefined }, /needs a redirectUrl/],
  [{ addClientAuthentication: () => undefined }, /addClientAuthentication .* is not supported/],
  [{ dpop: () => undefined }, /dpop .* is not supported/],
  [{ tokens: undefined }, /pass an OAuthClientProvider/],
])("a provider that cannot work is an error", (changes, message) => {
  const provider = Object.assign(new ProgramProvider(), changes) as unknown as OAuthClientProvider;
  expect(() => adaptOAuthClientProvider(provider)).toThrow(message);
});
