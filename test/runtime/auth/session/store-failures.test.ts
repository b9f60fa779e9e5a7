import { describe, expect, test } from "vitest";
import type { CredentialStore } from "../../../../runtime/src/auth.js";
import { SharedStore } from "./stores.js";
import { createWorld, mcpUrl } from "./world.js";

/** Makes a method of a store throw. Returns the function that repairs it. */
function breakStore(store: SharedStore, method: keyof CredentialStore, when: (key: string) => boolean): () => void {
  const works = store[method].bind(store) as (...given: unknown[]) => unknown;
  Object.assign(store, {
    [method]: (key: string, ...rest: unknown[]) => {
      if (when(key)) throw new Error(`no access: ${rest.join(" ")}`);
      return works(key, ...rest);
    },
  });
  return () => void Object.assign(store, { [method]: works });
}

const always = (): boolean => true;

describe("a store that fails", () => {
  test.each<[keyof CredentialStore, (key: string) => boolean]>([
    ["get", always],
    ["set", always],
    ["set", (key) => key.startsWith("tokens")],
  ])("in %s fails the call with a reason, without secrets; the next call works", async (method, when) => {
    const store = new SharedStore();
    const { call, grant, server } = createWorld({ store });
    const mend = breakStore(store, method, when);
    const error = (await call().catch((caught: unknown) => caught)) as Error;
    expect(error).toMatchObject({ code: "AUTHORIZATION_FAILED", reason: "store-failed" });
    for (const secret of [...server.accessTokens.keys(), ...server.refreshTokens.keys()])
      expect(error.message).not.toContain(secret);
    mend();
    expect((await call()).status).toBe(200);
    expect(grant.logins).toHaveLength(1);
  });

  test("loses no refresh token that was rotated", async () => {
    const store = new SharedStore();
    const world = createWorld({ store });
    await world.call();
    const mend = breakStore(store, "set", always);
    world.server.expireAccessTokens();
    await expect(world.call()).rejects.toMatchObject({ reason: "store-failed" });
    // The new tokens are used from memory.
    expect((await world.call()).status).toBe(200);
    mend();
    world.server.expireAccessTokens();
    expect((await world.call()).status).toBe(200);
    expect((await world.another().call()).status).toBe(200);
    expect(world.grant.logins).toHaveLength(1);
  });

  test("in withLock fails the refresh, and keeps the tokens", async () => {
    const store = new SharedStore();
    const { call, server, grant } = createWorld({ store });
    await call();
    const mend = breakStore(store, "withLock", always);
    server.expireAccessTokens();
    await expect(call()).rejects.toMatchObject({ reason: "store-failed" });
    mend();
    expect((await call()).status).toBe(200);
    expect(grant.logins).toHaveLength(1);
  });

  test.each(["server", "tokens"])("to keep the record %s intact leads to one log-in, and one report", async (name) => {
    const store = new SharedStore();
    const world = createWorld({ store });
    await world.call();
    const key = [...store.keys].find((one) => one.startsWith(name)) ?? "";
    store.set(key, '{"issuer":');
    const { call, errors } = world.another();
    expect((await call()).status).toBe(200);
    expect(errors).toMatchObject([{ reason: "store-failed", message: expect.stringContaining(key) as string }]);
    expect(world.grant.logins).toHaveLength(2);
    // The record was replaced.
    const third = world.another();
    await third.call();
    expect(third.errors).toEqual([]);
    expect(world.grant.logins).toHaveLength(2);
  });

  test("to keep tokens of one issuer apart: tokens of another issuer are not sent", async () => {
    const store = new SharedStore();
    const world = createWorld({ store });
    await world.call();
    const key = `tokens ${world.server.issuer} ${mcpUrl.href}`;
    store.set(key, (store.get(key) ?? "").replaceAll(world.server.issuer, "https://evil.example.com"));
    expect(await world.another().provider.token({ url: mcpUrl })).toBeUndefined();
  });
});
