import { describe, expect, it } from "vitest";
import { AuthorizationError } from "../../../../runtime/src/auth/auth-errors.js";
import { MemoryCredentialStore } from "../../../../runtime/src/auth/credential-store.js";
import type { DiscoveredServer } from "../../../../runtime/src/auth/discovery/discovered-server.js";
import type { GrantContext } from "../../../../runtime/src/auth/grants/grant.js";
import { JwtBearerGrant } from "../../../../runtime/src/auth/grants/jwt-bearer.js";
import type { AssertionSource } from "../../../../runtime/src/auth/grants/jwt-bearer.js";
import { discovered, issuer, publicClient } from "../tokens/fake-endpoint.js";

interface Sent {
  readonly grantType: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A context whose token endpoint refuses assertions that begin with "bad". */
function context(changes: Partial<GrantContext> = {}): GrantContext & { readonly sent: Sent[] } {
  const sent: Sent[] = [];
  return {
    sent,
    server: discovered(),
    url: new URL("https://mcp.example/mcp"),
    scopes: undefined,
    tokens: {
      request: (_client, grantType, parameters) => {
        sent.push({ grantType, parameters });
        if (parameters["assertion"]?.startsWith("bad"))
          return Promise.reject(new AuthorizationError("token-refused", "refused", { error: "invalid_grant", issuer }));
        const scopes: readonly string[] = [];
        return Promise.resolve({
          accessToken: "at",
          scheme: "Bearer",
          scopes,
          issuer,
          clientId: "app",
          refreshToken: "rt",
        });
      },
    },
    store: new MemoryCredentialStore(),
    signal: new AbortController().signal,
    ...changes,
  };
}

const grant = (assertion: AssertionSource): JwtBearerGrant => new JwtBearerGrant({ clientId: "app" }, assertion, {});

describe("the JWT bearer grant", () => {
  it("sends the assertion with the scopes, and drops a refresh token", async () => {
    const given = context({ scopes: ["a", "b"] });
    const tokens = await grant(() => "good").obtain(given, publicClient);
    expect(tokens).not.toHaveProperty("refreshToken");
    expect(given.sent).toEqual([
      {
        grantType: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        parameters: { assertion: "good", scope: "a b" },
      },
    ]);
  });

  it.each([
    [["c"], "c"],
    [undefined, undefined],
    [[], undefined],
  ])("sends the scopes that come with the assertion: %j", async (scopes, scope) => {
    const given = context({ scopes: ["a", "b"] });
    await grant(() => Promise.resolve({ assertion: "good", scopes })).obtain(given, publicClient);
    expect(given.sent[0]?.parameters["scope"]).toBe(scope);
  });

  it("stops waiting for the assertion when it is aborted", async () => {
    const controller = new AbortController();
    const given = context({ signal: controller.signal });
    const obtained = grant(() => new Promise<string>(() => undefined)).obtain(given, publicClient);
    controller.abort(new Error("closed"));
    await expect(obtained).rejects.toThrow("closed");
  });

  it.each([
    ["nothing", undefined],
    ["an empty string", ""],
    ["a number", 5],
  ])("rejects a function that returns %s", async (_title, value) => {
    const given = context();
    await expect(grant(() => value as string).obtain(given, publicClient)).rejects.toMatchObject({
      code: "INVALID_CONFIGURATION",
    });
    expect(given.sent).toEqual([]);
  });

  it("sends an assertion that one server refused to another server only", async () => {
    const tested = grant(() => "bad");
    const refused = { reason: "token-refused" };
    const first = context();
    await expect(tested.obtain(first, publicClient)).rejects.toMatchObject(refused);
    await expect(tested.obtain(first, publicClient)).rejects.toMatchObject(refused);
    expect(first.sent).toHaveLength(1);
    const others: Partial<DiscoveredServer>[] = [
      { issuer: "https://other.example" },
      { resource: "https://b.example" },
    ];
    for (const other of others) {
      const second = context({ server: discovered({}, other) });
      await expect(tested.obtain(second, publicClient)).rejects.toMatchObject(refused);
      expect(second.sent).toHaveLength(1);
    }
  });

  it("remembers a limited number of refused assertions", async () => {
    let count = 0;
    let fixed: string | undefined;
    const tested = grant(() => fixed ?? `bad-${++count}`);
    const given = context();
    for (let times = 0; times <= 100; times++) await tested.obtain(given, publicClient).catch(() => undefined);
    fixed = "bad-2";
    await expect(tested.obtain(given, publicClient)).rejects.toThrow("provide a new one");
    expect(given.sent).toHaveLength(101);
    fixed = "bad-1";
    await expect(tested.obtain(given, publicClient)).rejects.toThrow(/^refused$/);
    expect(given.sent).toHaveLength(102);
  });
});
