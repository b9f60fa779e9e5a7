import { afterEach, describe, expect, test, vi } from "vitest";
import { json } from "../fake-network.js";
import { SharedStore } from "./stores.js";
import { createWorld, tokenRequests, type World } from "./world.js";

/** The metadata is at a URL that only challenges name. */
function moveMetadata({ network, mcp, server }: World, path: string): void {
  mcp.settings.metadataAt = "none";
  const url = new URL(path, mcp.url).href;
  const body = { resource: mcp.url, authorization_servers: [server.issuer] };
  network.fail({ at: `GET ${url}`, respond: () => json(body) });
  const challenge = { "www-authenticate": `Bearer resource_metadata="${url}"` };
  network.fail({
    at: `POST ${mcp.url}`,
    respond: ({ headers }) => {
      const token = headers.get("authorization")?.slice(7) ?? "";
      return new Response(null, server.accessTokens.has(token) ? {} : { status: 401, headers: challenge });
    },
  });
}

describe("metadata that only a challenge names", () => {
  afterEach(() => void vi.restoreAllMocks());

  test("is found again after a restart, to refresh tokens that have expired", async () => {
    const world = createWorld({ store: new SharedStore() });
    moveMetadata(world, "/special");
    expect((await world.call()).status).toBe(200);
    const now = Date.now() + 7_200_000;
    vi.spyOn(Date, "now").mockImplementation(() => now);
    expect((await world.another().call()).status).toBe(200);
    expect(tokenRequests(world.network, "refresh_token")).toHaveLength(1);
    expect(world.network.requests("/.well-known/oauth-protected-resource")).toHaveLength(0);
  });

  test("is found again after a restart, to log out", async () => {
    const world = createWorld({ store: new SharedStore() });
    moveMetadata(world, "/special");
    await world.call();
    const { provider, errors } = world.another();
    await provider.logout(world.mcp.url);
    expect(errors).toEqual([]);
    expect(world.network.requests("/revoke")).toHaveLength(2);
  });

  test("may move to a well-known URL", async () => {
    const world = createWorld({ store: new SharedStore() });
    const remove = world.network.fail({ at: "GET https://mcp.example.com/special", respond: () => json({}, 404) });
    world.mcp.settings.metadata = {};
    await world.call();
    const { store } = world.provider as unknown as { readonly store: SharedStore };
    const key = `server ${world.mcp.url}`;
    store.set(
      key,
      JSON.stringify({ ...JSON.parse(store.get(key) ?? ""), resourceMetadata: "https://mcp.example.com/special" }),
    );
    const now = Date.now() + 7_200_000;
    vi.spyOn(Date, "now").mockImplementation(() => now);
    expect((await world.another().call()).status).toBe(200);
    expect(tokenRequests(world.network, "refresh_token")).toHaveLength(1);
    expect(world.network.requests("/special")).toHaveLength(1);
    remove();
  });
});
