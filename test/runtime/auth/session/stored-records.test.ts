import { describe, expect, test } from "vitest";
import type { AuthorizationError, CredentialStore, TokenSet } from "../../../../runtime/src/auth.js";
import { MemoryCredentialStore } from "../../../../runtime/src/auth/credential-store.js";
import { serverRecord, tokensRecord } from "../../../../runtime/src/auth/session/record-kinds.js";
import { StoredRecords } from "../../../../runtime/src/auth/session/stored-records.js";

const names = ["https://auth.example.com", "https://mcp.example.com/mcp"];
const tokens: TokenSet = {
  accessToken: "secret-access-token",
  scheme: "Bearer",
  expiresAt: 1_800_000_000_000,
  refreshToken: "secret-refresh-token",
  scopes: ["read"],
  issuer: "https://auth.example.com",
  clientId: "app",
};
const dpopKey = { kty: "EC", crv: "P-256", x: "eA", y: "eQ", d: "ZA" };
const { signal } = new AbortController();

function recordsOf(store: CredentialStore): { records: StoredRecords; errors: AuthorizationError[] } {
  const errors: AuthorizationError[] = [];
  return { records: new StoredRecords(store, (error) => errors.push(error as AuthorizationError)), errors };
}

/** A store of which one method fails, with the value in its message. */
function failing(method: keyof CredentialStore): CredentialStore {
  const fail = (...given: readonly unknown[]): never => {
    throw new Error(`disk full: ${given.join(" ")}`);
  };
  return Object.assign(new MemoryCredentialStore(), { [method]: fail });
}

describe("stored records", () => {
  test("are read as they were written", async () => {
    const store = new MemoryCredentialStore();
    const { records, errors } = recordsOf(store);
    await records.write(tokensRecord, names, tokens);
    expect(await records.read(tokensRecord, ...names)).toEqual(tokens);
    expect(store.get(`tokens ${names.join(" ")}`)).toBe(JSON.stringify(tokens));
    await records.delete(tokensRecord, ...names);
    expect(await records.read(tokensRecord, ...names)).toBeUndefined();
    expect(errors).toEqual([]);
  });

  test.each<[string, string]>([
    ["not JSON", "{"],
    ["empty", ""],
    ["null", "null"],
    ["an array", "[]"],
    ["without an access token", JSON.stringify({ ...tokens, accessToken: undefined })],
    ["an access token with a line break", JSON.stringify({ ...tokens, accessToken: "a\r\nb" })],
    ["an unknown scheme", JSON.stringify({ ...tokens, scheme: "Basic" })],
    ["DPoP without a key", JSON.stringify({ ...tokens, scheme: "DPoP" })],
    [
      "DPoP with a key without its private part",
      JSON.stringify({ ...tokens, scheme: "DPoP", dpopKey: { ...dpopKey, d: 1 } }),
    ],
    ["an expiry that is a string", JSON.stringify({ ...tokens, expiresAt: "soon" })],
    ["an empty refresh token", JSON.stringify({ ...tokens, refreshToken: "" })],
    ["scopes that are a string", JSON.stringify({ ...tokens, scopes: "read" })],
    ["no issuer", JSON.stringify({ ...tokens, issuer: undefined })],
    ["no client", JSON.stringify({ ...tokens, clientId: 1 })],
  ])("count as absent and are reported when they are corrupt: %s", async (_what, text) => {
    const store = new MemoryCredentialStore();
    store.set(`tokens ${names.join(" ")}`, text);
    const { records, errors } = recordsOf(store);
    expect(await records.read(tokensRecord, ...names)).toBeUndefined();
    expect(errors).toMatchObject([{ code: "AUTHORIZATION_FAILED", reason: "store-failed" }]);
    expect(errors[0]?.message).toContain(`"tokens ${names.join(" ")}"`);
    expect(JSON.stringify(errors) + String(errors[0])).not.toContain("secret");
  });

  test.each<[string, object]>([
    ["without an issuer", {}],
    ["with a resource that is a number", { issuer: "i", resource: 1 }],
    ["with scopes that are numbers", { issuer: "i", scopes: [1] }],
    ["with a client that is empty", { issuer: "i", clientId: "" }],
    ["with a metadata URL that is an object", { issuer: "i", resourceMetadata: {} }],
  ])("about a server are corrupt %s", (_what, value) => {
    expect(serverRecord.isValid(value)).toBe(false);
  });

  test("accept tokens that are bound to a key, and stores that return null", async () => {
    expect(tokensRecord.isValid({ ...tokens, scheme: "DPoP", dpopKey })).toBe(true);
    const store = Object.assign(new MemoryCredentialStore(), { get: () => null as unknown as undefined });
    const { records, errors } = recordsOf(store);
    expect(await records.read(tokensRecord, ...names)).toBeUndefined();
    expect(errors).toEqual([]);
  });

  test.each<[keyof CredentialStore, string, (records: StoredRecords) => Promise<unknown>]>([
    ["get", "read", (records) => records.read(tokensRecord, ...names)],
    ["set", "write", (records) => records.write(tokensRecord, names, tokens)],
    ["delete", "delete", (records) => records.delete(tokensRecord, ...names)],
    ["withLock", "lock", (records) => records.locked(tokensRecord, names, () => Promise.resolve(1), signal)],
  ])("fail with a reason and without secrets when the store throws in %s", async (method, verb, use) => {
    const error = (await use(recordsOf(failing(method)).records).catch((caught: unknown) => caught)) as Error;
    expect(error).toMatchObject({ code: "AUTHORIZATION_FAILED", reason: "store-failed" });
    expect(error.message).toContain(`could not ${verb} "tokens ${names.join(" ")}": Error: disk full`);
    expect(error.message).not.toContain("secret");
    expect(error.cause).toBeUndefined();
  });
});

test("messages show neither the query of a URL nor the state of a log-in", async () => {
  const flowRecord = { ...serverRecord, name: "flow" };
  const { records } = recordsOf(failing("get"));
  const secret = "secret-state";
  const messages = [
    records.read(tokensRecord, "https://auth.example.com", `https://mcp.example.com/mcp?key=${secret}`),
    records.read(flowRecord, secret),
  ].map((reading) => reading.catch((error: unknown) => String(error)));
  for (const message of await Promise.all(messages)) expect(message).not.toContain(secret);
  expect(await messages[0]).toContain('"tokens https://auth.example.com https://mcp.example.com/mcp"');
});

describe("locked records", () => {
  test("pass the result and the error of the work", async () => {
    const store = Object.assign(new MemoryCredentialStore(), {
      withLock: <Value>(_key: string, work: () => Promise<Value>) => work(),
    });
    const { records } = recordsOf(store);
    expect(await records.locked(tokensRecord, names, () => Promise.resolve(1), signal)).toBe(1);
    const failed = records.locked(tokensRecord, names, () => Promise.reject(new Error("of the work")), signal);
    await expect(failed).rejects.toThrow("of the work");
  });

  test("report a lock that cannot be released, and keep the result", async () => {
    const store = Object.assign(new MemoryCredentialStore(), {
      withLock: async <Value>(_key: string, work: () => Promise<Value>): Promise<Value> => {
        await work();
        throw new Error("cannot unlock");
      },
    });
    const { records, errors } = recordsOf(store);
    expect(await records.locked(tokensRecord, names, () => Promise.resolve(1), signal)).toBe(1);
    expect(errors).toMatchObject([{ reason: "store-failed" }]);
    expect(errors[0]?.message).toContain("cannot unlock");
  });

  test("fail when the store does not run the work, and with the reason of an abort", async () => {
    const idle = Object.assign(new MemoryCredentialStore(), {
      withLock: <Value>() => Promise.resolve(undefined as Value),
    });
    const never = (): Promise<never> => Promise.reject(new Error("ran"));
    await expect(recordsOf(idle).records.locked(tokensRecord, names, never, signal)).rejects.toMatchObject({
      reason: "store-failed",
    });
    const stopped = AbortSignal.abort(new Error("stopped"));
    await expect(recordsOf(failing("withLock")).records.locked(tokensRecord, names, never, stopped)).rejects.toThrow(
      "stopped",
    );
  });
});
