import { describe, expect, test } from "vitest";
import { MemoryCredentialStore } from "../../../../runtime/src/auth/credential-store.js";
import { deferred } from "../../../../runtime/src/timing/deferred.js";
import { down } from "../fake-network.js";
import { SharedStore } from "./stores.js";
import { createWorld, mcpUrl } from "./world.js";

describe("logout", () => {
  test("revokes the refresh token, then the access token, and deletes the records", async () => {
    const store = new SharedStore();
    const { call, provider, network, server, errors, grant } = createWorld({ store });
    await call();
    const [access] = server.accessTokens.keys();
    const [refresh] = server.refreshTokens.keys();
    await provider.logout(`${mcpUrl.href}#fragment`);
    expect(network.requests("/revoke").map(({ form }) => [form.get("token"), form.get("token_type_hint")])).toEqual([
      [refresh, "refresh_token"],
      [access, "access_token"],
    ]);
    expect([...store.keys]).toEqual([]);
    expect(await provider.token({ url: mcpUrl })).toBeUndefined();
    expect(errors).toEqual([]);
    expect((await call()).status).toBe(200);
    expect(grant.logins).toHaveLength(2);
  });

  test("of a process that has just started", async () => {
    const store = new SharedStore();
    const world = createWorld({ store });
    await world.call();
    await world.another().provider.logout(mcpUrl);
    expect([...store.keys]).toEqual([]);
    expect(world.server.refreshTokens.size + world.server.accessTokens.size).toBe(0);
  });

  test("deletes the records without a connection, and reports it", async () => {
    const store = new SharedStore();
    const world = createWorld({ store });
    await world.call();
    world.network.fail({ at: "", respond: down });
    const { provider, errors } = world.another();
    await provider.logout(mcpUrl);
    expect([...store.keys]).toEqual([]);
    expect(errors).toMatchObject([{ reason: "unreachable" }]);
  });

  test("needs no revocation endpoint", async () => {
    const { call, provider, server, network, errors } = createWorld();
    server.settings.metadata = { revocation_endpoint: undefined };
    await call();
    await provider.logout(mcpUrl);
    expect(network.requests("/revoke")).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("does not revoke the tokens of another client", async () => {
    const { call, provider, grant, network, errors } = createWorld();
    await call();
    grant.clientId = "other";
    await provider.logout(mcpUrl);
    expect(network.requests("/revoke")).toEqual([]);
    expect(errors).toMatchObject([{ reason: "no-client" }]);
  });

  test("does nothing without tokens, and rejects what is not a URL", async () => {
    const { provider, network } = createWorld();
    await provider.logout(mcpUrl);
    expect(network.seen).toEqual([]);
    await expect(provider.logout("mcp.example.com")).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
  });

  test("ends a log-in in progress", async () => {
    const { call, provider, grant } = createWorld();
    const shown = deferred();
    grant.before = () => {
      shown.resolve();
      return new Promise(() => undefined);
    };
    const waiting = expect(call()).rejects.toMatchObject({ reason: "abandoned" });
    await shown.promise;
    await provider.logout(mcpUrl);
    await waiting;
    expect(await provider.token({ url: mcpUrl })).toBeUndefined();
  });

  test("fails when the records cannot be deleted", async () => {
    const store = new MemoryCredentialStore();
    const { call, provider } = createWorld({ store });
    await call();
    Object.assign(store, {
      delete: () => {
        throw new Error("read-only");
      },
    });
    await expect(provider.logout(mcpUrl)).rejects.toMatchObject({ reason: "store-failed" });
    // This process uses the tokens no longer.
    expect(await provider.token({ url: mcpUrl })).toBeUndefined();
  });
});
