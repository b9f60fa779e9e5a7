import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { SharedStore } from "./stores.js";
import { createWorld, MachineGrant, mcpUrl, type World } from "./world.js";

function dpopWorld(options = {}): World {
  const world = createWorld(options);
  world.server.settings.dpop = "offered";
  world.mcp.settings.dpop = "accepted";
  return world;
}

function proofs({ network }: World, part: string): readonly Readonly<Record<string, unknown>>[] {
  return network
    .requests(part)
    .map(({ headers }) => headers.get("dpop"))
    .filter((proof) => proof !== null)
    .map((proof) => decodeJwt(proof));
}

describe("tokens that are bound to a key", () => {
  test("are sent with a new proof for each request", async () => {
    const world = dpopWorld();
    await world.call();
    await world.call();
    const sent = proofs(world, `POST ${mcpUrl.href}`);
    expect(sent).toMatchObject([
      { htm: "POST", htu: mcpUrl.href },
      { htm: "POST", htu: mcpUrl.href },
    ]);
    expect(new Set(sent.map(({ jti }) => jti)).size).toBe(2);
    expect(world.network.seen.at(-1)?.headers.get("authorization")).toMatch(/^DPoP access-/);
  });

  test("keep their key over refreshes, step-ups and restarts", async () => {
    const world = dpopWorld({ store: new SharedStore() });
    await world.call();
    world.server.expireAccessTokens();
    await world.call();
    world.mcp.settings.neededScopes = () => ["write"];
    await world.call();
    world.server.expireAccessTokens();
    expect((await world.another().call()).status).toBe(200);
    const keys = [...world.server.retired.values(), ...world.server.refreshTokens.values()];
    expect(keys.length).toBeGreaterThan(2);
    expect(new Set(keys.map(({ thumbprint }) => thumbprint)).size).toBe(1);
  });

  test("learn the nonces of the server: a demand only repeats the request", async () => {
    const world = dpopWorld();
    await world.call();
    world.mcp.dpopChecks.nonce = "first";
    expect((await world.call()).status).toBe(200);
    world.mcp.dpopChecks.nonce = "second";
    expect((await world.call()).status).toBe(200);
    expect(world.grant.logins).toHaveLength(1);
    expect(world.network.requests("oauth-protected-resource")).toHaveLength(1);
    const used = proofs(world, `POST ${mcpUrl.href}`).map(({ nonce }) => nonce);
    expect(used).toEqual([undefined, undefined, "first", "first", "second"]);
    // Nonces also arrive with successful responses.
    world.mcp.dpopChecks.nonce = "third";
    world.mcp.settings.serve = () => new Response(null, { status: 200 });
    await world.call();
    await world.call();
    expect(proofs(world, `POST ${mcpUrl.href}`).at(-1)).toMatchObject({ nonce: "third" });
  });

  test("learn the nonces of the authorization server", async () => {
    const world = dpopWorld();
    world.server.dpopChecks.nonce = "token-nonce";
    expect((await world.call()).status).toBe(200);
    expect(proofs(world, "/token").map(({ nonce }) => nonce)).toEqual([undefined, "token-nonce"]);
  });

  test.each<[string, World["mcp"]["settings"]["dpop"], World["server"]["settings"]["dpop"], boolean | "auto", string]>([
    ["both announce it", "accepted", "offered", "auto", "DPoP"],
    ["both require it", "required", "required", "auto", "DPoP"],
    ["the MCP server does not announce it", "no", "offered", "auto", "Bearer"],
    ["the authorization server does not announce it", "accepted", "no", "auto", "Bearer"],
    ["the application declines", "accepted", "offered", false, "Bearer"],
    ["the application demands it", "no", "offered", true, "DPoP"],
  ])("are used or not: %s", async (_what, mcp, server, dpop, scheme) => {
    const world = createWorld({ dpop });
    world.mcp.settings.dpop = mcp;
    world.server.settings.dpop = server;
    expect((await world.call()).status).toBe(200);
    expect(world.network.seen.at(-1)?.headers.get("authorization")?.split(" ")[0]).toBe(scheme);
  });

  test("are an error when the application demands them and the authorization server lacks them", async () => {
    const { call, mcp, grant } = createWorld({ dpop: true });
    mcp.settings.dpop = "accepted";
    await expect(call()).rejects.toMatchObject({
      reason: "metadata-invalid",
      message: expect.stringContaining("dpop_signing_alg_values_supported") as string,
    });
    expect(grant.logins).toEqual([]);
  });

  test("of an application that has no user", async () => {
    const world = createWorld({}, (server) => new MachineGrant(server));
    world.server.settings.dpop = "required";
    world.mcp.settings.dpop = "required";
    expect((await world.call()).status).toBe(200);
  });

  test("with a stored key that is not valid are obtained again", async () => {
    const store = new SharedStore();
    const world = dpopWorld({ store });
    await world.call();
    const key = `tokens ${world.server.issuer} ${mcpUrl.href}`;
    const stored = JSON.parse(store.get(key) ?? "") as { dpopKey: { x: string } };
    stored.dpopKey.x = "AAAA";
    store.set(key, JSON.stringify(stored));
    const { call, errors } = world.another();
    expect((await call()).status).toBe(200);
    expect(errors).toMatchObject([{ reason: "store-failed" }]);
    expect(world.grant.logins).toHaveLength(2);
  });
});
