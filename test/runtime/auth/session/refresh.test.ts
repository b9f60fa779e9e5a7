import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { down, hang, json } from "../fake-network.js";
import { createWorld, MachineGrant, mcpUrl, tokenRequests } from "./world.js";
import { SharedStore } from "./stores.js";

/** Moves the clock of this process. */
function passSeconds(seconds: number): void {
  const now = Date.now() + seconds * 1_000;
  vi.spyOn(Date, "now").mockImplementation(() => now);
}

describe("tokens", () => {
  afterEach(() => void vi.restoreAllMocks());

  test("are refreshed before they expire, once for all requests", async () => {
    const { call, network, server, mcp } = createWorld();
    await call();
    const before = [...server.accessTokens.keys()];
    passSeconds(3_595);
    const responses = await Promise.all([call(), call(), call()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(tokenRequests(network, "refresh_token")).toHaveLength(1);
    expect(tokenRequests(network, "refresh_token")[0]?.get("resource")).toBe(mcp.settings.resource);
    const sent = network.requests(`POST ${mcpUrl.href}`).slice(-3);
    for (const { headers } of sent) expect(before).not.toContain(headers.get("authorization")?.slice(7));
    // No request was rejected.
    expect(network.requests("oauth-protected-resource")).toHaveLength(1);
  });

  test("are not refreshed earlier", async () => {
    const { call, network } = createWorld();
    await call();
    passSeconds(3_580);
    await call();
    expect(tokenRequests(network, "refresh_token")).toHaveLength(0);
  });

  test("without expiry are used until the server rejects them", async () => {
    const { call, network, server } = createWorld();
    server.settings.expiresIn = undefined;
    await call();
    passSeconds(1e9);
    await call();
    expect(tokenRequests(network, "refresh_token")).toHaveLength(0);
    server.expireAccessTokens();
    expect((await call()).status).toBe(200);
    expect(tokenRequests(network, "refresh_token")).toHaveLength(1);
  });

  test("that live for seconds are not refreshed for each request", async () => {
    const { call, network, server } = createWorld();
    server.settings.expiresIn = 5;
    await call();
    await call();
    expect(tokenRequests(network, "refresh_token")).toHaveLength(0);
  });

  test("are refreshed when the clock jumps ahead, and used when it jumps back", async () => {
    const { call, network } = createWorld();
    await call();
    passSeconds(400 * 24 * 3_600);
    expect((await call()).status).toBe(200);
    passSeconds(-800 * 24 * 3_600);
    expect((await call()).status).toBe(200);
    expect(tokenRequests(network, "refresh_token")).toHaveLength(1);
  });

  test("that seem to have expired are tried when they cannot be refreshed", async () => {
    const { call, provider, server, grant } = createWorld();
    server.settings.refreshTokens = false;
    await call();
    const token = await provider.token({ url: mcpUrl });
    passSeconds(7_200);
    expect(await provider.token({ url: mcpUrl })).toBe(token);
    expect((await call()).status).toBe(200);
    expect(grant.logins).toHaveLength(2);
  });

  test("of an application are requested again before they expire", async () => {
    const { call, grant, network } = createWorld({ scopes: ["read"] }, (server) => new MachineGrant(server));
    await call();
    passSeconds(3_600);
    await Promise.all([call(), call()]);
    expect(grant.logins).toEqual([["read"], ["read"]]);
    expect(network.requests(`POST ${mcpUrl.href}`)).toHaveLength(4);
  });

  test("keep a refresh token that is not replaced", async () => {
    const { call, network, server } = createWorld();
    server.settings.rotation = false;
    await call();
    for (let round = 0; round < 2; round++) {
      server.expireAccessTokens();
      expect((await call()).status).toBe(200);
    }
    const used = tokenRequests(network, "refresh_token").map((form) => form.get("refresh_token"));
    expect(used).toHaveLength(2);
    expect(new Set(used).size).toBe(1);
  });

  test("keep their scopes when the response has none", async () => {
    const { call, server, mcp, grant } = createWorld();
    mcp.settings.challengeScope = "read";
    server.settings.statesScope = false;
    await call();
    server.expireAccessTokens();
    await call();
    mcp.settings.neededScopes = () => ["write"];
    await call();
    expect(grant.logins).toEqual([["read"], ["read", "write"]]);
  });
});

describe("a refresh", () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each([
    ["an unreachable server", down, "unreachable", 2],
    ["a server that is unavailable", () => json({ error: "temporarily_unavailable" }, 503), "unreachable", 1],
    ["a refusal for another reason", () => json({ error: "invalid_request" }, 400), "token-refused", 1],
    ["a response without a token", () => json({ token_type: "Bearer" }), "token-invalid", 1],
  ])("fails the call, and keeps the tokens, for %s", async (_what, respond, reason, requests) => {
    const { call, network, server, grant } = createWorld();
    await call();
    server.expireAccessTokens();
    const heal = network.fail({ at: "POST https://auth.example.com/token", respond });
    await expect(call()).rejects.toMatchObject({ code: "AUTHORIZATION_FAILED", data: { reason } });
    expect(tokenRequests(network, "refresh_token")).toHaveLength(requests);
    heal();
    expect((await call()).status).toBe(200);
    expect(grant.logins).toHaveLength(1);
  });

  test("is repeated once when the connection breaks", async () => {
    const { call, network, server } = createWorld();
    await call();
    server.expireAccessTokens();
    network.fail({ at: "POST https://auth.example.com/token", respond: down, times: 1 });
    expect((await call()).status).toBe(200);
  });

  test("that fails early is reported; the token is used until it expires", async () => {
    const { call, network, errors } = createWorld();
    await call();
    passSeconds(3_595);
    network.fail({ at: "POST https://auth.example.com/token", respond: down });
    expect((await call()).status).toBe(200);
    expect((await call()).status).toBe(200);
    expect(errors).toMatchObject([{ reason: "unreachable" }]);
    passSeconds(6);
    await expect(call()).rejects.toMatchObject({ reason: "unreachable" });
  });

  test("of a slow server ends with the time limit", async () => {
    const { call, network, server } = createWorld({ timeoutMs: 5_000 });
    await call();
    server.expireAccessTokens();
    network.fail({ at: "POST https://auth.example.com/token", respond: hang });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const refused = expect(call()).rejects.toMatchObject({ reason: "unreachable" });
    // It is repeated once, as after a lost connection.
    for (const attempt of [1, 2]) {
      await vi.waitFor(() => expect(tokenRequests(network, "refresh_token")).toHaveLength(attempt));
      await vi.advanceTimersByTimeAsync(5_000);
    }
    await refused;
  });

  test.each(["invalid_grant", "unauthorized_client", "unsupported_grant_type", "invalid_scope", "invalid_target"])(
    "that is refused with %s leads to a log-in",
    async (error) => {
      const { call, network, server, grant } = createWorld();
      await call();
      server.expireAccessTokens();
      network.fail({ at: "POST https://auth.example.com/token", respond: () => json({ error }, 400), times: 1 });
      expect((await call()).status).toBe(200);
      expect(grant.logins).toHaveLength(2);
    },
  );

  test("before the expiry that is refused leaves no token; the next request logs in", async () => {
    const { call, server, grant, provider } = createWorld();
    await call();
    passSeconds(3_599);
    server.endLogins();
    expect(await provider.token({ url: mcpUrl })).toBeUndefined();
    expect((await call()).status).toBe(200);
    expect(grant.logins).toHaveLength(2);
  });

  test("of a registration that the server has forgotten leads to another registration", async () => {
    const { call, server, grant } = createWorld();
    await call();
    server.expireAccessTokens();
    server.clients.delete("app");
    grant.before = () => server.addClient({ clientId: "app", redirectUris: ["http://127.0.0.1/callback"] });
    expect((await call()).status).toBe(200);
    expect(grant.forgotten).toEqual(["app"]);
    expect(grant.logins).toHaveLength(2);
  });

  test("is not tried with the refresh token of another client", async () => {
    const { call, network, server, grant } = createWorld();
    await call();
    server.expireAccessTokens();
    server.addClient({ clientId: "other", redirectUris: ["http://127.0.0.1/callback"] });
    grant.clientId = "other";
    expect((await call()).status).toBe(200);
    expect(tokenRequests(network, "refresh_token")).toHaveLength(0);
  });

  test("is not tried when the resource has changed", async () => {
    const { call, network, server, mcp, grant } = createWorld();
    await call();
    mcp.settings.resource = "https://mcp.example.com";
    expect((await call()).status).toBe(200);
    expect(tokenRequests(network, "refresh_token")).toHaveLength(0);
    expect(grant.logins).toHaveLength(2);
    expect([...server.accessTokens.values()].at(-1)?.resource).toBe("https://mcp.example.com");
  });
});

describe("several processes on one store", () => {
  afterEach(() => void vi.restoreAllMocks());

  test("refresh once", async () => {
    const store = new SharedStore();
    const first = createWorld({ store });
    await first.call();
    const second = first.another();
    await second.call();
    passSeconds(3_600);
    const responses = await Promise.all([first.call(), second.call()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(tokenRequests(first.network, "refresh_token")).toHaveLength(1);
    expect(first.grant.logins).toHaveLength(1);
    expect(store.locked).toEqual(Array(2).fill(`tokens ${first.server.issuer} ${mcpUrl.href}`));
  });

  test("use the tokens of each other", async () => {
    const store = new SharedStore();
    const first = createWorld({ store });
    await first.call();
    const second = first.another();
    await second.call();
    first.server.expireAccessTokens();
    await first.call();
    // The token of the second was rejected, but the store has the new one.
    expect((await second.call()).status).toBe(200);
    expect(tokenRequests(first.network, "refresh_token")).toHaveLength(1);
    expect(first.grant.logins).toHaveLength(1);
  });

  test("without a lock: a refresh token that the other has used is not a failure", async () => {
    const store = new SharedStore();
    const unlocked = { get: store.get.bind(store), set: store.set.bind(store), delete: store.delete.bind(store) };
    const first = createWorld({ store: unlocked });
    await first.call();
    const second = first.another();
    await second.call();
    passSeconds(3_600);
    // The second has read the old refresh token, and is refused after the first has stored the new one.
    first.network.fail({
      at: "POST https://auth.example.com/token",
      times: 1,
      respond: async () => {
        await first.call();
        return json({ error: "invalid_grant" }, 400);
      },
    });
    expect((await second.call()).status).toBe(200);
    expect(first.grant.logins).toHaveLength(1);
    expect(second.errors).toEqual([]);
  });

  test("see the log-out of each other when they refresh", async () => {
    const store = new SharedStore();
    const first = createWorld({ store });
    await first.call();
    const second = first.another();
    await second.call();
    await first.provider.logout(mcpUrl);
    expect((await second.call()).status).toBe(200);
    expect(tokenRequests(first.network, "refresh_token")).toHaveLength(0);
    expect(first.grant.logins).toHaveLength(2);
  });
});
