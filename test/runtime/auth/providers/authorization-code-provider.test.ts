import { afterEach, describe, expect, test, vi } from "vitest";
import { AuthorizationError, UnauthorizedError } from "../../../../runtime/src/auth/auth-errors.js";
import { MemoryCredentialStore, storeOfUser } from "../../../../runtime/src/auth/credential-store.js";
import type { AuthorizationCodeProvider } from "../../../../runtime/src/auth/providers/authorization-code-provider.js";
import { CodeFlowFixture, redirectUri, refusal, started } from "./code-flow-fixture.js";

afterEach(() => vi.useRealTimers());

describe("a log-in whose callback arrives in another request", () => {
  test("fails with the URL of the page, and finishes in another process", async () => {
    const fixture = new CodeFlowFixture();
    const error = await fixture.call(fixture.provider()).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnauthorizedError);
    const page = (error as UnauthorizedError).data.authorizationUrl ?? "";
    const callback = await fixture.authorizationServer.visit(page);
    const other = fixture.provider();
    expect(String(await other.finish(callback))).toBe(fixture.url.href);
    expect(await fixture.call(other)).toBe(200);
    expect(await fixture.call(fixture.provider())).toBe(200);
  });

  test("can start before any request, and finish with a path only", async () => {
    const fixture = new CodeFlowFixture();
    const provider = fixture.provider();
    const { url, state } = await provider.start(fixture.url, { wwwAuthenticate: 'Bearer scope="read write"' });
    expect(url.searchParams.get("scope")).toBe("read write");
    const callback = await fixture.authorizationServer.visit(url);
    expect(callback.searchParams.get("state")).toBe(state);
    await provider.finish(`${callback.pathname}${callback.search}`);
    expect(await fixture.call(provider)).toBe(200);
    expect(fixture.network.requests("register")).toHaveLength(1);
  });

  test("can start and finish after the provider was closed", async () => {
    const fixture = new CodeFlowFixture();
    const provider = fixture.provider();
    await provider.close();
    await provider.finish(await started(fixture, provider));
    expect(await fixture.call(provider)).toBe(200);
  });

  test("finishes without reading metadata again, at the token endpoint of its start", async () => {
    const fixture = new CodeFlowFixture();
    const callback = await started(fixture, fixture.provider());
    fixture.authorizationServer.settings.metadata = { token_endpoint: "https://evil.example/token" };
    const before = fixture.network.seen.length;
    await fixture.provider().finish(callback);
    const requests = fixture.network.seen.slice(before).map(({ method, url }) => `${method} ${url.href}`);
    expect(requests).toEqual(["POST https://auth.example.com/token"]);
  });

  test("can be started twice: each finishes", async () => {
    const fixture = new CodeFlowFixture();
    const provider = fixture.provider();
    const callbacks = [await started(fixture, provider), await started(fixture, provider)];
    for (const callback of callbacks.reverse()) await provider.finish(callback);
    expect(await fixture.call(provider)).toBe(200);
    expect(fixture.network.requests("register")).toHaveLength(1);
  });

  test("cannot be finished twice: the tokens of the first time stay valid", async () => {
    const fixture = new CodeFlowFixture();
    const provider = fixture.provider();
    const callback = await started(fixture, provider);
    await provider.finish(callback);
    for (const again of [provider, fixture.provider()])
      await expect(again.finish(callback)).rejects.toEqual(refusal("state-mismatch", /was finished before/));
    expect(fixture.network.requests("/token")).toHaveLength(1);
    expect(await fixture.call(provider)).toBe(200);
  });

  test("redeems its code once when the callback is submitted twice at the same time", async () => {
    const fixture = new CodeFlowFixture();
    const callback = await started(fixture, fixture.provider());
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => fixture.provider().finish(callback)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(fixture.network.requests("/token")).toHaveLength(1);
  });

  test("cannot be finished after an hour, and is deleted from the store when the next one starts", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const fixture = new CodeFlowFixture();
    const provider = fixture.provider();
    const stale = await provider.start(fixture.url);
    const callback = await started(fixture, provider);
    vi.setSystemTime(Date.now() + 3_600_000);
    await expect(provider.finish(callback)).rejects.toEqual(refusal("state-mismatch", /expired/));
    expect(fixture.store.get(`flow ${stale.state}`)).toBeDefined();
    await provider.start(fixture.url);
    expect(fixture.store.get(`flow ${stale.state}`)).toBeUndefined();
    expect(JSON.parse(fixture.store.get("flows") ?? "")).toHaveLength(1);
  });

  test("can be finished just before 10 minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const fixture = new CodeFlowFixture();
    const { url } = await fixture.provider().start(fixture.url);
    vi.setSystemTime(Date.now() + 599_000);
    await fixture.provider().finish(await fixture.authorizationServer.visit(url));
  });

  test("belongs to one user: others can neither finish it nor use its tokens", async () => {
    const fixture = new CodeFlowFixture();
    const shared = new MemoryCredentialStore();
    const ada = fixture.provider({ store: storeOfUser(shared, "ada") });
    const bob = fixture.provider({ store: storeOfUser(shared, "bob") });
    const callback = await started(fixture, ada);
    await expect(bob.finish(callback)).rejects.toEqual(refusal("state-mismatch", /no log-in with its state/));
    await ada.finish(callback);
    expect(await ada.token({ url: fixture.url })).toBeDefined();
    expect(await bob.token({ url: fixture.url })).toBeUndefined();
  });

  test("can be started again after each failure", async () => {
    const fixture = new CodeFlowFixture();
    const provider = fixture.provider();
    fixture.authorizationServer.settings.refuses = true;
    const refused = await started(fixture, provider);
    await expect(provider.finish(refused)).rejects.toEqual(refusal("denied", /access_denied/));
    await expect(provider.finish(refused)).rejects.toEqual(refusal("state-mismatch", /finished before/));
    fixture.authorizationServer.settings.refuses = false;
    await provider.finish(await started(fixture, provider));
    expect(await fixture.call(provider)).toBe(200);
  });

  test("ends a log-in for which a request waits", async () => {
    const fixture = new CodeFlowFixture();
    const closed: unknown[] = [];
    const waiting = fixture.provider({
      interaction: {
        begin: () =>
          Promise.resolve({
            redirectUri,
            authorize: (url: URL) => {
              fixture.pages.push(url);
              return new Promise<never>(() => undefined);
            },
            end: (outcome: "success" | Error) => void closed.push(outcome),
          }),
      },
    });
    const call = fixture.call(waiting);
    await vi.waitFor(() => expect(fixture.pages).toHaveLength(1));
    await waiting.finish(await started(fixture, waiting));
    expect(await call).toBe(200);
    await vi.waitFor(() => expect(closed).toHaveLength(1));
  });

  test("needs a redirect URI that is https, loopback or the application's own", () => {
    const fixture = new CodeFlowFixture();
    const invalid = ["http://app.example.com/", "javascript:alert(1)", "https://app.example.com/#x", "/callback", ""];
    for (const uri of invalid)
      expect(() => fixture.provider({ redirectUri: uri })).toThrow(
        expect.objectContaining({
          code: "INVALID_CONFIGURATION",
          message: expect.stringContaining("redirectUri") as string,
        }),
      );
    for (const uri of ["http://localhost/x", "http://[::1]:3/x", "vscode://example.app/callback"])
      expect(() => fixture.provider({ redirectUri: uri })).not.toThrow();
  });
});

describe("a log-in with an interaction", () => {
  test("happens by itself on a rejected request, once", async () => {
    const fixture = new CodeFlowFixture();
    const provider = fixture.interactive();
    expect(await Promise.all([fixture.call(provider), fixture.call(provider)])).toEqual([200, 200]);
    expect(await fixture.call(provider)).toBe(200);
    expect(fixture.pages).toHaveLength(1);
    expect(fixture.outcomes).toEqual(["success"]);
    expect(fixture.store.get("flows")).toBeDefined();
  });

  const callbacks: readonly { readonly title: string; readonly change: (url: URL) => void; readonly reason: string }[] =
    [
      { title: "without state", change: (url) => url.searchParams.delete("state"), reason: "state-mismatch" },
      {
        title: "with another state",
        change: (url) => url.searchParams.set("state", "x".repeat(43)),
        reason: "state-mismatch",
      },
      { title: "without code", change: (url) => url.searchParams.delete("code"), reason: "callback-invalid" },
      { title: "without iss", change: (url) => url.searchParams.delete("iss"), reason: "issuer-mismatch" },
      { title: "at another port", change: (url) => (url.port = "1"), reason: "callback-invalid" },
      { title: "with a wrong code", change: (url) => url.searchParams.set("code", "wrong"), reason: "token-refused" },
    ];
  test.each(callbacks)("fails for a callback $title", async ({ change, reason }) => {
    const fixture = new CodeFlowFixture();
    const provider = fixture.interactive({}, (url) => {
      change(url);
      return url;
    });
    await expect(fixture.call(provider)).rejects.toEqual(refusal(reason));
    expect(fixture.outcomes).toEqual([refusal(reason)]);
    expect(await provider.token({ url: fixture.url })).toBeUndefined();
  });

  test("ends when the user gives up, and leaves no open flow", async () => {
    const fixture = new CodeFlowFixture();
    const gaveUp = new AuthorizationError("abandoned", "The user closed the page");
    const interaction = fixture.interaction();
    const provider = fixture.provider({
      interaction: {
        begin: async (context) => ({ ...(await interaction.begin(context)), authorize: () => Promise.reject(gaveUp) }),
      },
    });
    await expect(fixture.call(provider)).rejects.toBe(gaveUp);
    expect(fixture.outcomes).toEqual([gaveUp]);
    expect(fixture.store.get("flows")).toBeUndefined();
  });

  test("ends when the provider is closed", async () => {
    const fixture = new CodeFlowFixture();
    const interaction = fixture.interaction();
    const provider = fixture.provider({
      interaction: {
        begin: async (context) => ({
          ...(await interaction.begin(context)),
          authorize: (url) => {
            fixture.pages.push(url);
            return new Promise<never>(() => undefined);
          },
        }),
      },
    });
    const call = fixture.call(provider);
    const outcome = expect(call).rejects.toEqual(refusal("abandoned"));
    await vi.waitFor(() => expect(fixture.pages).toHaveLength(1));
    await provider.close();
    await outcome;
    await vi.waitFor(() => expect(fixture.outcomes).toEqual([refusal("abandoned")]));
  });

  test("fails when the receiver cannot be opened", async () => {
    const fixture = new CodeFlowFixture();
    const provider = fixture.provider({ interaction: { begin: () => Promise.reject(new Error("port in use")) } });
    await expect(fixture.call(provider)).rejects.toThrow("port in use");
  });

  test("does not fail when the receiver cannot be closed, which is reported", async () => {
    const fixture = new CodeFlowFixture();
    const interaction = fixture.interaction();
    const provider = fixture.provider({
      interaction: {
        begin: async (context) => ({
          ...(await interaction.begin(context)),
          end: () => Promise.reject(new Error("stuck")),
        }),
      },
    });
    expect(await fixture.call(provider)).toBe(200);
    expect(fixture.reported.map(String)).toContain("Error: stuck");
  });

  test("offers the redirect URIs of the stored registration", async () => {
    const fixture = new CodeFlowFixture();
    const offered: (readonly string[])[] = [];
    const interaction = fixture.interaction();
    const provider = (): AuthorizationCodeProvider =>
      fixture.provider({
        interaction: {
          begin: (context) => {
            offered.push(context.registeredRedirectUris);
            return interaction.begin(context);
          },
        },
      });
    await fixture.call(provider());
    fixture.authorizationServer.endLogins();
    await fixture.call(provider());
    expect(offered).toEqual([[], ["http://127.0.0.1:40123/callback"]]);
    expect(fixture.network.requests("/register")).toHaveLength(1);
  });
});

describe("DPoP", () => {
  test("binds code and tokens to one key, also when another process finishes", async () => {
    const fixture = new CodeFlowFixture({ dpop: "required" });
    fixture.resourceServer.settings.dpop = "required";
    const { url } = await fixture.provider().start(fixture.url);
    expect(url.searchParams.get("dpop_jkt")).toMatch(/^[\w-]{43}$/);
    const other = fixture.provider();
    await other.finish(await fixture.authorizationServer.visit(url));
    const [token] = fixture.authorizationServer.accessTokens.values();
    expect(token?.thumbprint).toBe(url.searchParams.get("dpop_jkt"));
    expect(await fixture.call(other)).toBe(200);
  });
});

test("the store of each of 30 users has its own log-in", async () => {
  const fixture = new CodeFlowFixture();
  const shared = new MemoryCredentialStore();
  const users = Array.from({ length: 30 }, (_, index) => `user ${index}`);
  const provider = (user: string): AuthorizationCodeProvider => fixture.provider({ store: storeOfUser(shared, user) });
  const callbacks = await Promise.all(users.map((user) => started(fixture, provider(user))));
  await Promise.all(users.map((user, index) => provider(user).finish(callbacks[index] ?? "")));
  const tokens = await Promise.all(users.map((user) => provider(user).token({ url: fixture.url })));
  expect(new Set(tokens).size).toBe(users.length);
  expect(tokens).not.toContain(undefined);
});
