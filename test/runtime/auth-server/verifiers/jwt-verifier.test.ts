import { describe, expect, expectTypeOf, test } from "vitest";
import { jwtVerifier, type JwtVerifierOptions } from "../../../../runtime/src/auth-server/verifiers/jwt-verifier.js";
import type { StandardSchema } from "../../../../runtime/src/schema/standard-schema.js";
import { FakeIssuer, issuerKey, resource, seconds, validClaims } from "./fake-issuer.js";
import { outcomeOf } from "./outcome.js";

const issuer = await FakeIssuer.create();
const verifier = jwtVerifier({ issuer: issuer.issuer, fetch: issuer.fetch });

describe("a valid token", () => {
  test("becomes its facts", async () => {
    const claims = { cnf: { jkt: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" } };
    const facts = await verifier.verifyAccessToken(await issuer.token({ claims }), { resource });
    expect(facts).toEqual({
      issuer: issuer.issuer,
      subject: "user-1",
      clientId: "client-1",
      scopes: ["files:read", "files:write"],
      expiresAt: facts.claims["exp"],
      audience: [resource],
      keyThumbprint: claims.cnf.jkt,
      claims: { ...validClaims(issuer.issuer), ...claims, iat: facts.claims["iat"], exp: facts.claims["exp"] },
    });
  });

  test("can be kept until it expires", () => expect(verifier.cacheMs).toBe(Infinity));

  test.each([
    ["a list of audiences", { aud: ["https://other.example.com", resource] }],
    ["no scope", { scope: undefined }],
    ["a clock 20 seconds ahead", { iat: seconds() + 20, nbf: seconds() + 20 }],
    ["an end 20 seconds ago", { exp: seconds() - 20 }],
    ["an unknown claim", { constructor: "x", __proto__: "y" }],
  ])("may have %s", async (_name, claims) =>
    expect(await outcomeOf(verifier, await issuer.token({ claims }))).toBe("valid"),
  );

  test.each([
    ["scope", { scope: "a b a" }, ["a", "b"]],
    ["scp of Entra ID", { scope: undefined, scp: "a b" }, ["a", "b"]],
    ["scp as a list", { scope: undefined, scp: ["a", "b"] }, ["a", "b"]],
    ["impossible names", { scope: 'a "b ä a\u00a0c \\' }, ["a"]],
    ["nothing", { scope: "" }, []],
  ])("has the scopes of %s", async (_name, claims, scopes) =>
    expect(await verifier.verifyAccessToken(await issuer.token({ claims }), { resource })).toMatchObject({ scopes }),
  );

  test("of a service has its client as subject", async () => {
    const token = await issuer.token({ claims: { sub: undefined, client_id: undefined, azp: "service" } });
    expect(await verifier.verifyAccessToken(token, { resource })).toMatchObject({
      subject: "service",
      clientId: "service",
    });
  });

  test.each(["RS256", "PS384", "ES384", "ES512", "EdDSA", "Ed25519"])("may be signed with %s", async (algorithm) => {
    const key = await issuerKey(`key of ${algorithm}`, algorithm);
    const other = jwtVerifier({ issuer: issuer.issuer, jwks: { keys: [key.jwk] } });
    expect(await outcomeOf(other, await issuer.token({ key }))).toBe("valid");
  });

  test("may name Ed25519 as EdDSA", async () => {
    const key = await issuerKey("edwards", "EdDSA");
    const other = jwtVerifier({ issuer: issuer.issuer, jwks: { keys: [{ ...key.jwk, alg: "Ed25519" }] } });
    expect(await outcomeOf(other, await issuer.token({ key }))).toBe("valid");
  });

  test("without kid is verified with each key that fits", async () => {
    const keys = [await issuerKey("a"), await issuerKey("b"), await issuerKey("c", "EdDSA")];
    const other = jwtVerifier({ issuer: issuer.issuer, jwks: { keys: keys.map(({ jwk }) => jwk) } });
    const header = { kid: undefined };
    for (const key of keys) expect(await outcomeOf(other, await issuer.token({ key, header }))).toBe("valid");
  });
});

describe("the audience", () => {
  test.each([
    ["https://mcp.example.com", "https://mcp.example.com/", "valid"],
    ["https://mcp.example.com/", "https://mcp.example.com", "valid"],
    ["https://mcp.example.com/mcp", "https://mcp.example.com/mcp/", "audience"],
    ["https://mcp.example.com/mcp", "https://mcp.example.com", "audience"],
    ["https://mcp.example.com/mcp", "https://MCP.example.com/mcp", "audience"],
    ["https://mcp.example.com/mcp", "https://mcp.example.com/mcp?", "audience"],
    ["https://mcp.example.com/mcp", "https://mcp.example.com/%6dcp", "audience"],
    ["https://mcp.example.com/mcp", "https://mcp.example.com/mcp#x", "audience"],
  ])("of the resource %s may be %s: %s", async (own, aud, outcome) => {
    const other = jwtVerifier({ issuer: issuer.issuer, audience: own, fetch: issuer.fetch });
    expect(await outcomeOf(other, await issuer.token({ claims: { aud } }))).toBe(outcome);
  });

  test("can be set to that of the issuer's API", async () => {
    const other = jwtVerifier({ issuer: issuer.issuer, audience: ["api://one", "api://two"], fetch: issuer.fetch });
    expect(await outcomeOf(other, await issuer.token({ claims: { aud: "api://two" } }))).toBe("valid");
    expect(await outcomeOf(other, await issuer.token())).toBe("audience");
  });
});

describe("a schema of claims", () => {
  interface Tenant {
    readonly tenant: string;
  }
  const schema = (isAsync: boolean): StandardSchema<unknown, Tenant> => ({
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => {
        const { tenant } = value as { readonly tenant?: unknown };
        const result =
          typeof tenant === "string"
            ? { value: { tenant } }
            : {
                issues: [
                  { message: "not user-1", path: ["tenant"] },
                  { message: "x", path: [{ key: "user-1 x" }] },
                ],
              };
        return isAsync ? Promise.resolve(result) : result;
      },
    },
  });

  test.each([true, false])("types and validates them (async: %s)", async (isAsync) => {
    const typed = jwtVerifier({ issuer: issuer.issuer, fetch: issuer.fetch, claims: schema(isAsync) });
    const { claims } = await typed.verifyAccessToken(await issuer.token({ claims: { tenant: "one" } }), { resource });
    expectTypeOf(claims).toEqualTypeOf<Tenant>();
    expect(claims).toEqual({ tenant: "one" });
    expect(await outcomeOf(typed, await issuer.token())).toBe("claims");
    await expect(typed.verifyAccessToken(await issuer.token(), { resource })).rejects.toThrow(
      /^claims of the token are missing or invalid: tenant$/,
    );
  });

  test("does not see a token that is not valid", async () => {
    const claims = { ...schema(false)["~standard"], validate: () => expect.unreachable() };
    const typed = jwtVerifier({ issuer: issuer.issuer, fetch: issuer.fetch, claims: { "~standard": claims } });
    const token = await issuer.token({ key: { ...(await issuerKey("foreign")), jwk: { kid: "first" } } });
    expect(await outcomeOf(typed, token)).toBe("signature");
  });

  test("that throws is an error of the server", async () => {
    const claims = { ...schema(false)["~standard"], validate: () => Promise.reject(new Error("the database is away")) };
    const typed = jwtVerifier({ issuer: issuer.issuer, fetch: issuer.fetch, claims: { "~standard": claims } });
    await expect(outcomeOf(typed, await issuer.token())).rejects.toThrow("the database is away");
  });
});

describe("an invalid option is refused", () => {
  const { issuer: url } = issuer;
  test.each<[string, JwtVerifierOptions]>([
    ["no issuer", { issuer: [] }],
    ["an issuer that is not a URL", { issuer: "auth.example.com" }],
    ["an issuer over http", { issuer: "http://auth.example.com" }],
    ["an issuer with a query", { issuer: `${url}?tenant=1` }],
    ["an issuer with a password", { issuer: "https://user:secret@auth.example.com" }],
    ["none", { issuer: url, algorithms: ["ES256", "none"] }],
    ["HMAC", { issuer: url, algorithms: ["HS256"] }],
    ["an unknown algorithm", { issuer: url, algorithms: ["constructor"] }],
    ["no algorithm", { issuer: url, algorithms: [] }],
    ["an empty audience", { issuer: url, audience: "" }],
    ["no audience", { issuer: url, audience: [] }],
    ["a URL of keys over http", { issuer: url, jwks: "http://auth.example.com/jwks" }],
    ["keys that are not a set", { issuer: url, jwks: [] as never }],
    ["an empty set of keys", { issuer: url, jwks: { keys: [] } }],
    ["a secret as a key", { issuer: url, jwks: { keys: [{ kty: "oct", k: "c2VjcmV0" }] } }],
    ["a negative leeway", { issuer: url, leewaySeconds: -1 }],
    ["a leeway of ten minutes", { issuer: url, leewaySeconds: 600 }],
    ["a time limit that is not a number", { issuer: url, timeoutMs: NaN }],
  ])("%s", (_name, options) =>
    expect(() => jwtVerifier(options)).toThrow(expect.objectContaining({ code: "INVALID_CONFIGURATION" })),
  );

  test("a private key, without showing it", async () => {
    const { d, ...key } = { ...(await issuerKey("first")).jwk, d: "secret-key" };
    const make = (): unknown => jwtVerifier({ issuer: url, jwks: { keys: [{ ...key, d }] } });
    expect(make).toThrow(/private key/);
    expect(make).not.toThrow(/secret-key/);
  });
});
