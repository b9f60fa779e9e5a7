import { afterEach, describe, expect, test, vi } from "vitest";
import { FakeAuthorizationServer } from "../fake-authorization-server.js";
import { SharedStore } from "./stores.js";
import { createWorld, MachineGrant, mcpUrl, type World } from "./world.js";

const newIssuer = "https://new.example.com";

/** The MCP server names another authorization server and accepts only its tokens. */
function migrate(world: World): FakeAuthorizationServer {
  const server = new FakeAuthorizationServer(world.network, newIssuer);
  server.addClient({ clientId: "new-app", redirectUris: ["http://127.0.0.1/callback"] });
  world.grant.clientIds.set(newIssuer, "new-app");
  world.mcp.settings.servers = [server];
  return server;
}

/** All secrets that the old authorization server has issued. */
function secretsOf({ server }: World): readonly string[] {
  return [...server.accessTokens.keys(), ...server.refreshTokens.keys(), ...server.retired.keys()];
}

describe("another authorization server", () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each<[string, (world: World) => Pick<World, "call" | "errors">]>([
    ["of a running process", (world) => world],
    ["with discovery that an earlier process has stored", (world) => world.another()],
  ])("gets a log-in and a client of its own: %s", async (_what, process) => {
    const store = new SharedStore();
    const world = createWorld({ store });
    await world.call();
    const secrets = ["client_id=app", ...secretsOf(world)];
    migrate(world);
    const { call, errors } = process(world);
    expect((await call()).status).toBe(200);
    const seen = world.network.requests(newIssuer);
    expect(seen.length).toBeGreaterThan(2);
    for (const { url, body, headers } of seen)
      for (const secret of secrets) expect(url.href + body + JSON.stringify([...headers])).not.toContain(secret);
    expect(errors).toMatchObject([{ reason: "issuer-mismatch", data: { issuer: newIssuer } }]);
    expect([...store.keys].filter((key) => key.startsWith("tokens"))).toEqual([`tokens ${newIssuer} ${mcpUrl.href}`]);
    expect(String(store.get(`server ${mcpUrl.href}`))).toContain(newIssuer);
  });

  test("is noticed when stored tokens have expired: the old one gets no refresh token", async () => {
    const store = new SharedStore();
    const world = createWorld({ store });
    await world.call();
    migrate(world);
    const before = world.network.requests("https://auth.example.com/token").length;
    const now = Date.now() + 7_200_000;
    vi.spyOn(Date, "now").mockImplementation(() => now);
    const { call } = world.another();
    expect((await call()).status).toBe(200);
    expect(world.network.requests("https://auth.example.com/token")).toHaveLength(before);
  });

  test("does not get the scopes of the old one", async () => {
    const world = createWorld();
    world.mcp.settings.challengeScope = "old";
    await world.call();
    migrate(world);
    world.mcp.settings.challengeScope = "new";
    await world.call();
    expect(world.grant.logins).toEqual([["old"], ["new"]]);
  });

  test.each(["in the same process", "after a restart"])(
    "never sees a client that was registered at the old one by hand: %s",
    async (when) => {
      const store = new SharedStore();
      const world = createWorld({ store }, (server) => new MachineGrant(server));
      await world.call();
      const server = migrate(world);
      const { call } = when === "after a restart" ? world.another() : world;
      for (let round = 0; round < 2; round++)
        await expect(call()).rejects.toMatchObject({ code: "AUTHORIZATION_FAILED", reason: "no-client" });
      expect(world.network.requests(`${newIssuer}/token`)).toHaveLength(0);
      // The application says that the client belongs to the new one.
      server.addClient({ clientId: "app", method: "client_secret_post", clientSecret: "s3cret" });
      const resolve = world.grant.resolveClient.bind(world.grant);
      world.grant.resolveClient = async (context) => ({ ...(await resolve(context)), issuer: newIssuer });
      expect((await call()).status).toBe(200);
    },
  );

  test("is not chosen while the server still lists the one whose tokens are stored", async () => {
    const world = createWorld();
    await world.call();
    const server = new FakeAuthorizationServer(world.network, newIssuer);
    world.mcp.settings.servers = [server, world.server];
    world.server.expireAccessTokens();
    expect((await world.call()).status).toBe(200);
    expect(world.network.requests(newIssuer)).toHaveLength(0);
    expect(world.grant.logins).toHaveLength(1);
  });
});
