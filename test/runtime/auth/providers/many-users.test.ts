import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { storeOfUser } from "../../../../runtime/src/auth/credential-store.js";
import type { OAuthProvider } from "../../../../runtime/src/auth/providers/oauth-provider.js";
import { SharedStore } from "../session/stores.js";
import { createWorld, mcpUrl } from "../session/world.js";

async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
}

const users = Array.from({ length: 1_000 }, (_, index) => `user ${index}@example.com`);

describe("a service with 1,000 users", () => {
  test("keeps their log-ins apart, with two records each", async () => {
    const shared = new SharedStore();
    const world = createWorld();
    const providers = users.map((user) => world.another({ store: storeOfUser(shared, user) }));
    await Promise.all(providers.map(async ({ call }) => expect((await call()).status).toBe(200)));
    // Later requests, refreshes and log-ins replace records, and add none.
    world.server.expireAccessTokens();
    await Promise.all(providers.slice(-100).map(async ({ call }) => expect((await call()).status).toBe(200)));
    const tokens = await Promise.all(providers.map(({ provider }) => provider.token({ url: mcpUrl })));
    expect(new Set(tokens).size).toBe(users.length);
    expect(world.grant.logins).toHaveLength(users.length);
    expect(shared.keys.size).toBe(2 * users.length);
    // Each user's own store has that user's token only.
    const [first, second] = users.map((user) => storeOfUser(shared, user));
    const key = `tokens ${world.server.issuer} ${mcpUrl.href}`;
    expect(JSON.parse((await first?.get(key)) ?? "")).toMatchObject({ accessToken: tokens[0] });
    expect(JSON.parse((await second?.get(key)) ?? "")).toMatchObject({ accessToken: tokens[1] });
    await providers[0]?.provider.logout(mcpUrl);
    expect(shared.keys.size).toBe(2 * (users.length - 1));
    expect((await providers[1]?.call())?.status).toBe(200);
    expect(world.grant.logins).toHaveLength(users.length);
  });

  test("may make a provider per request: all that lasts is in the store", async () => {
    const store = new SharedStore();
    const world = createWorld({ store });
    await world.call();
    const providers: WeakRef<OAuthProvider>[] = [];
    for (let request = 0; request < 200; request++) {
      const { provider, call } = world.another();
      expect((await call()).status).toBe(200);
      providers.push(new WeakRef(provider));
    }
    expect(store.keys.size).toBe(2);
    expect(world.grant.logins).toHaveLength(1);
    await collectGarbage();
    // Nothing else refers to the providers; a few may still be on a stack.
    expect(providers.filter((provider) => provider.deref()).length).toBeLessThan(20);
  });

  test("serves any number of MCP servers with a bounded number of sessions", async () => {
    const world = createWorld();
    const sessions = new Set<unknown>();
    for (let index = 0; index < 500; index++) sessions.add(world.provider.session(new URL(`/${index}`, mcpUrl)));
    expect(sessions.size).toBe(500);
    // The last ones are kept, the first ones were forgotten.
    expect(sessions.has(world.provider.session(new URL("/499", mcpUrl)))).toBe(true);
    expect(sessions.has(world.provider.session(new URL("/0", mcpUrl)))).toBe(false);
    await world.call();
    for (let index = 0; index < 200; index++) world.provider.session(new URL(`/${index}`, mcpUrl));
    // The tokens are still in the store.
    expect((await world.call()).status).toBe(200);
    expect(world.grant.logins).toHaveLength(1);
  });
});
