import { afterEach, describe, expect, test, vi } from "vitest";
import { AuthorizationError, type InsufficientScopeError, UnauthorizedError } from "../../../../runtime/src/auth.js";
import type { McpError } from "../../../../runtime/src/jsonrpc/errors.js";
import { SharedStore } from "./stores.js";
import { createWorld, mcpUrl } from "./world.js";

/** Every called tool needs the scope of its name. */
function scopeOfMethod({ body }: { readonly body: string }): readonly string[] {
  const { method } = JSON.parse(body) as { readonly method: string };
  return method === "tools/list" ? [] : [method];
}

describe("an operation that lacks a scope", () => {
  afterEach(() => void vi.restoreAllMocks());

  test("leads to a log-in with the union of the scopes, and is sent again", async () => {
    const { call, mcp, grant } = createWorld();
    mcp.settings.challengeScope = "basic";
    mcp.settings.scopesSupported = ["basic", "decoy"];
    mcp.settings.neededScopes = scopeOfMethod;
    await call();
    expect((await call({ method: "tools/call" })).status).toBe(200);
    expect((await call({ method: "prompts/get" })).status).toBe(200);
    expect(grant.logins).toEqual([["basic"], ["basic", "tools/call"], ["basic", "tools/call", "prompts/get"]]);
  });

  test("keeps its scopes in later log-ins, also after a restart", async () => {
    const world = createWorld({ store: new SharedStore() });
    world.mcp.settings.challengeScope = "basic";
    world.mcp.settings.neededScopes = scopeOfMethod;
    await world.call({ method: "tools/call" });
    world.server.endLogins();
    await world.another().call();
    expect(world.grant.logins.at(-1)).toEqual(["basic", "tools/call"]);
  });

  test("asks twice, and then fails without asking; other operations may still ask", async () => {
    const { call, mcp, grant, server, network } = createWorld();
    mcp.settings.challengeScope = "basic";
    server.settings.grantScopes = (requested) => requested.filter((scope) => scope !== "admin");
    mcp.settings.neededScopes = () => ["admin"];
    const failed = (await call().catch((error: unknown) => error)) as InsufficientScopeError;
    expect(failed).toMatchObject({
      code: "INSUFFICIENT_SCOPE",
      data: { required: ["admin"], granted: ["basic"], operation: "tools/list" },
    });
    // The first log-in, and two for more scopes.
    expect(grant.logins).toEqual([["basic"], ["basic", "admin"], ["basic", "admin"]]);
    const before = network.seen.length;
    await expect(call()).rejects.toMatchObject({ code: "INSUFFICIENT_SCOPE" });
    expect(network.seen.slice(before).map(({ url }) => url.href)).toEqual([mcpUrl.href]);
    await expect(call({ method: "tools/call" })).rejects.toMatchObject({ code: "INSUFFICIENT_SCOPE" });
    expect(grant.logins).toHaveLength(5);
  });

  test("counts refusals of the user; the tokens stay usable", async () => {
    const { call, mcp, grant, provider } = createWorld();
    mcp.settings.neededScopes = scopeOfMethod;
    await call();
    const token = await provider.token({ url: mcpUrl });
    grant.before = () => {
      throw new AuthorizationError("denied", "the user refused");
    };
    for (let round = 0; round < 2; round++)
      await expect(call({ method: "tools/call" })).rejects.toMatchObject({ reason: "denied" });
    await expect(call({ method: "tools/call" })).rejects.toMatchObject({ code: "INSUFFICIENT_SCOPE" });
    expect(grant.logins).toHaveLength(3);
    expect(await provider.token({ url: mcpUrl })).toBe(token);
    expect((await call()).status).toBe(200);
  });

  test("counts log-ins that finish in another request only when they have finished", async () => {
    const { call, mcp, grant, server, provider } = createWorld();
    mcp.settings.neededScopes = scopeOfMethod;
    await call();
    const first = grant.logins.length;
    grant.before = () => {
      throw new UnauthorizedError("log in", new URL(server.issuer));
    };
    for (let round = 0; round < 3; round++)
      await expect(call({ method: "tools/call" })).rejects.toBeInstanceOf(UnauthorizedError);
    expect(grant.logins).toHaveLength(first + 3);
    for (let round = 0; round < 2; round++) {
      const session = provider.session(mcpUrl);
      const tokens = await session.tokens();
      if (!tokens) throw new Error("no tokens");
      // The user has not granted the scope.
      await session.accept(tokens);
      const again = call({ method: "tools/call" });
      await expect(again).rejects.toMatchObject({ code: round === 0 ? "UNAUTHORIZED" : "INSUFFICIENT_SCOPE" });
    }
  });

  test("counts them over processes: an application that redirects its user each time does not do so forever", async () => {
    const world = createWorld({ store: new SharedStore() });
    world.mcp.settings.challengeScope = "basic";
    await world.call();
    world.mcp.settings.neededScopes = () => ["admin"];
    world.grant.before = () => {
      throw new UnauthorizedError("log in", new URL(world.server.issuer));
    };
    const outcomes: unknown[] = [];
    for (let round = 0; round < 4; round++) {
      await world
        .another()
        .call()
        .catch((error: unknown) => outcomes.push((error as McpError).code));
      // The callback arrives at another process.
      const session = world.another().provider.session(mcpUrl);
      const tokens = await session.tokens();
      if (tokens) await session.accept(tokens);
    }
    expect(outcomes).toEqual(["UNAUTHORIZED", "UNAUTHORIZED", "INSUFFICIENT_SCOPE", "INSUFFICIENT_SCOPE"]);
    const later = Date.now() + 61 * 60_000;
    vi.spyOn(Date, "now").mockImplementation(() => later);
    await expect(world.another().call()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("fails at once when the server names no scope that is missing", async () => {
    const { call, mcp, grant, network } = createWorld();
    await call();
    network.fail({
      at: `POST ${mcpUrl.href}`,
      respond: () =>
        new Response(null, { status: 403, headers: { "www-authenticate": 'Bearer error="insufficient_scope"' } }),
    });
    await expect(call()).rejects.toMatchObject({ code: "INSUFFICIENT_SCOPE", data: { required: [] } });
    expect(grant.logins).toHaveLength(1);
    mcp.settings.scopesSupported = ["all"];
    await expect(call()).rejects.toMatchObject({ code: "INSUFFICIENT_SCOPE" });
  });

  test("requests scopes that were refused only once", async () => {
    const { call, mcp, grant, server } = createWorld();
    mcp.settings.challengeScope = "basic";
    mcp.settings.neededScopes = scopeOfMethod;
    await call({ method: "tools/call" });
    server.endLogins();
    mcp.settings.neededScopes = () => [];
    grant.before = ({ scopes }) => {
      if (scopes?.includes("tools/call"))
        throw new AuthorizationError("denied", "invalid scope", { error: "invalid_scope" });
    };
    await expect(call()).rejects.toMatchObject({ data: { error: "invalid_scope" } });
    expect((await call()).status).toBe(200);
    expect(grant.logins.at(-1)).toEqual(["basic"]);
  });

  test("shares the outcome between requests of several transports", async () => {
    const { call, mcp, grant } = createWorld();
    mcp.settings.neededScopes = scopeOfMethod;
    await call();
    const both = (): Promise<PromiseSettledResult<Response>[]> =>
      Promise.allSettled(["a", "b"].map((transport) => call({ method: "tools/call", transport })));
    grant.before = () => {
      throw new AuthorizationError("denied", "the user refused");
    };
    expect(await both()).toMatchObject([{ reason: { reason: "denied" } }, { reason: { reason: "denied" } }]);
    expect(grant.logins).toHaveLength(2);
    grant.before = () => undefined;
    expect(await both()).toMatchObject([{ value: { status: 200 } }, { value: { status: 200 } }]);
    expect(grant.logins).toHaveLength(3);
  });
});
