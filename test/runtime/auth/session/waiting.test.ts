import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type AuthorizationError,
  type GrantContext,
  type TokenSet,
  UnauthorizedError,
} from "../../../../runtime/src/auth.js";
import { deferred } from "../../../../runtime/src/timing/deferred.js";
import { raceAbort } from "../../../../runtime/src/timing/race-abort.js";
import { FakeResourceServer } from "../fake-resource-server.js";
import { SharedStore } from "./stores.js";
import { createWorld, mcpUrl, tokenRequests, type World } from "./world.js";

interface PausedLogin {
  /** Resolves when the user sees the page. */
  readonly shown: Promise<void>;
  /** The user agrees. */
  readonly agree: () => void;
  /** The contexts of the log-ins. */
  readonly contexts: GrantContext[];
}

/** Makes the log-ins wait for the user. */
function pauseLogins({ grant }: World): PausedLogin {
  const shown = deferred();
  const agreed = deferred();
  const contexts: GrantContext[] = [];
  grant.before = async (context) => {
    contexts.push(context);
    shown.resolve();
    await raceAbort(context.signal, agreed.promise);
  };
  return { shown: shown.promise, agree: agreed.resolve, contexts };
}

function newTokens({ server }: World): TokenSet {
  const accessToken = server.secret("access");
  const facts = { clientId: "app", scopes: [], resource: mcpUrl.href, thumbprint: undefined, login: 0 };
  server.accessTokens.set(accessToken, { ...facts, expiresAt: Infinity });
  return { accessToken, scheme: "Bearer", scopes: ["read"], issuer: server.issuer, clientId: "app" };
}

describe("requests that wait for a log-in", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test("stop waiting when they are aborted; the log-in goes on for the others", async () => {
    const world = createWorld();
    const { shown, agree } = pauseLogins(world);
    const controller = new AbortController();
    const first = world.call({ signal: controller.signal });
    const second = world.call();
    const third = world.call({ transport: "another" });
    await shown;
    controller.abort(new Error("stopped"));
    await expect(first).rejects.toThrow("stopped");
    agree();
    expect([(await second).status, (await third).status]).toEqual([200, 200]);
    expect(world.grant.logins).toHaveLength(1);
  });

  test("share its error", async () => {
    const world = createWorld();
    world.grant.before = () => {
      throw new Error("the browser does not start");
    };
    const calls = ["a", "b", "c"].map((transport) => world.call({ transport }));
    for (const { status } of await Promise.allSettled(calls)) expect(status).toBe("rejected");
    expect(world.grant.logins).toHaveLength(1);
  });

  test("continue when it finishes elsewhere", async () => {
    const world = createWorld();
    const { shown, contexts } = pauseLogins(world);
    const waiting = [world.call(), world.call({ transport: "another" })];
    await shown;
    const tokens = newTokens(world);
    await world.provider.session(mcpUrl).accept(tokens);
    for (const response of await Promise.all(waiting)) expect(response.status).toBe(200);
    expect(contexts[0]?.signal.aborted).toBe(true);
    expect(await world.provider.token({ url: mcpUrl })).toBe(tokens.accessToken);
  });

  test("get tokens that are refreshed when they have expired in the meantime", async () => {
    const store = new SharedStore();
    const world = createWorld({ store });
    const write = store.set.bind(store);
    Object.assign(store, {
      set: (key: string, value: string) => {
        write(key, value);
        if (!key.startsWith("tokens")) return;
        Object.assign(store, { set: write });
        const later = Date.now() + 3_601_000;
        vi.spyOn(Date, "now").mockImplementation(() => later);
      },
    });
    const responses = await Promise.all(["a", "b", "c"].map((transport) => world.call({ transport })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(world.grant.logins).toHaveLength(1);
    expect(tokenRequests(world.network, "refresh_token")).toHaveLength(1);
  });

  test("fail when the provider is closed; it can log in again", async () => {
    const world = createWorld();
    const { shown, agree } = pauseLogins(world);
    const waiting = expect(world.call()).rejects.toMatchObject({ reason: "abandoned" });
    await shown;
    await world.provider[Symbol.asyncDispose]();
    await waiting;
    agree();
    expect((await world.call()).status).toBe(200);
  });

  test.each([
    [undefined, 300_000],
    [600_000, 600_000],
  ])("with loginTimeoutMs %s, fail after %i ms", async (loginTimeoutMs, limit) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const world = createWorld(loginTimeoutMs === undefined ? {} : { loginTimeoutMs });
    const { shown } = pauseLogins(world);
    let outcome: unknown;
    const waiting = world.call().catch((error: unknown) => (outcome = error));
    await shown;
    await vi.advanceTimersByTimeAsync(limit - 1);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(outcome).toMatchObject({ reason: "abandoned" });
  });

  test("wait for log-ins to other servers of the same issuer", async () => {
    const world = createWorld();
    const otherUrl = new URL("https://mcp.example.com/other");
    new FakeResourceServer(world.network, [world.server], otherUrl.href);
    const { shown, agree, contexts } = pauseLogins(world);
    const first = world.call();
    await shown;
    const second = world.call({ url: otherUrl });
    await vi.waitFor(() => expect(world.network.requests("oauth-protected-resource/other")).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(contexts.map(({ url }) => url.href)).toEqual([mcpUrl.href]);
    agree();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect(contexts.map(({ url }) => url.href)).toEqual([mcpUrl.href, otherUrl.href]);
    const [token, otherToken] = await Promise.all([mcpUrl, otherUrl].map((url) => world.provider.token({ url })));
    expect(token).not.toBe(otherToken);
  });

  test("do not log in when another process has done so in the meantime", async () => {
    const world = createWorld({ store: new SharedStore() });
    const { shown, agree } = pauseLogins(world);
    const otherUrl = new URL("https://mcp.example.com/other");
    const other = new FakeResourceServer(world.network, [world.server], otherUrl.href);
    const first = world.call({ url: otherUrl });
    await shown;
    const second = world.call();
    await vi.waitFor(() => expect(world.network.requests("oauth-protected-resource/mcp")).toHaveLength(1));
    await world.another().provider.session(mcpUrl).accept(newTokens(world));
    agree();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect(world.grant.logins).toHaveLength(1);
    expect(other.url).toBe(otherUrl.href);
  });
});

describe("a token that the server rejects although it is new", () => {
  test("is an error; the next request does not log in again", async () => {
    const { call, mcp, grant } = createWorld();
    mcp.settings.servers = [];
    mcp.settings.metadata = { authorization_servers: ["https://auth.example.com"] };
    await expect(call()).rejects.toMatchObject({ code: "AUTHORIZATION_FAILED", reason: "token-rejected" });
    await expect(call()).rejects.toMatchObject({ reason: "token-rejected" });
    expect(grant.logins).toHaveLength(1);
  });

  test("leads to a log-in when it was refreshed", async () => {
    const { call, server, grant, network } = createWorld();
    await call();
    server.expireAccessTokens();
    const heal = network.fail({
      at: `POST ${mcpUrl.href}`,
      respond: ({ headers }) =>
        new Response(null, { status: grant.logins.length > 1 && headers.has("authorization") ? 200 : 401 }),
    });
    expect((await call()).status).toBe(200);
    heal();
    expect(grant.logins).toHaveLength(2);
  });

  test("is an error also when the log-ins finish in other requests", async () => {
    const world = createWorld({ store: new SharedStore() });
    await world.call();
    world.mcp.settings.servers = [];
    world.mcp.settings.metadata = { authorization_servers: [world.server.issuer] };
    world.grant.before = () => {
      throw new UnauthorizedError("log in", new URL(world.server.issuer));
    };
    const outcomes: unknown[] = [];
    for (let round = 0; round < 4; round++) {
      const { call } = world.another();
      await call().catch((error: unknown) => outcomes.push((error as AuthorizationError).data));
      await world.another().provider.session(mcpUrl).accept(newTokens(world));
    }
    const again = { authorizationUrl: `${world.server.issuer}/` };
    const failed = expect.objectContaining({ reason: "token-rejected" }) as unknown;
    expect(outcomes).toEqual([again, again, failed, failed]);
  });

  test("may be requested again after a minute", async () => {
    const { call, mcp, server, grant } = createWorld();
    mcp.settings.servers = [];
    mcp.settings.metadata = { authorization_servers: [server.issuer] };
    await expect(call()).rejects.toMatchObject({ reason: "token-rejected" });
    const later = performance.now() + 61_000;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => later);
    try {
      mcp.settings.servers = [server];
      server.endLogins();
      expect((await call()).status).toBe(200);
    } finally {
      clock.mockRestore();
    }
    expect(grant.logins).toHaveLength(2);
  });
});

describe("a log-in that is prepared for another request", () => {
  test("has the scopes, the resource and the issuer", async () => {
    const world = createWorld({ scopes: ["extra"] });
    world.server.settings.scopesSupported = ["offline_access"];
    const { signal } = new AbortController();
    const session = world.provider.session(mcpUrl);
    const context = await session.prepare('Bearer scope="read"', signal);
    expect(context).toMatchObject({
      scopes: ["read", "extra", "offline_access"],
      server: { issuer: world.server.issuer, resource: mcpUrl.href },
    });
    const tokens = newTokens(world);
    await session.accept(tokens, { scopes: context.scopes, resource: context.server.resource });
    expect((await world.call()).status).toBe(200);
    world.server.endLogins();
    await world.call();
    expect(world.grant.logins.map((scopes) => scopes?.toSorted())).toEqual([["extra", "offline_access", "read"]]);
  });
});
