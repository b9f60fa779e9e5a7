import { describe, expect, expectTypeOf, test } from "vitest";
import type { TokenFacts } from "../../../../runtime/src/auth-server/auth-info.js";
import {
  InvalidTokenError,
  type InvalidTokenReason,
  TokenVerificationError,
} from "../../../../runtime/src/auth-server/token-errors.js";
import type { OAuthTokenVerifier } from "../../../../runtime/src/auth-server/token-verifier.js";
import { anyVerifier } from "../../../../runtime/src/auth-server/verifiers/any-verifier.js";
import { jwtVerifier } from "../../../../runtime/src/auth-server/verifiers/jwt-verifier.js";
import { FakeIssuer, resource } from "./fake-issuer.js";
import { outcomeOf } from "./outcome.js";

type Behaviour = InvalidTokenReason | "valid" | "unavailable" | "other issuer";

/** A verifier that behaves so for every token, and counts them. */
function fake(name: string, behaviour: Behaviour, more: Partial<OAuthTokenVerifier> = {}) {
  const verifier = {
    issuers: [`https://${name}.example.com`],
    calls: 0,
    ...more,
    verifyAccessToken(): TokenFacts {
      verifier.calls++;
      if (behaviour === "unavailable") throw new TokenVerificationError("is down");
      if (behaviour !== "valid" && behaviour !== "other issuer") throw new InvalidTokenError(behaviour, "no");
      const issuer = behaviour === "valid" ? `https://${name}.example.com` : "https://evil.example";
      const facts = { issuer, subject: "user-1", clientId: undefined, scopes: [], expiresAt: Infinity };
      return { ...facts, audience: [resource], keyThumbprint: undefined, claims: {} };
    },
  };
  return verifier;
}

describe("several verifiers", () => {
  test.each<[Behaviour, Behaviour, string, boolean]>([
    ["valid", "valid", "valid", false],
    ["malformed", "valid", "valid", true],
    ["issuer", "valid", "valid", true],
    ["inactive", "valid", "valid", true],
    ["unavailable", "valid", "valid", true],
    ["other issuer", "valid", "valid", true],
    ["expired", "valid", "expired", false],
    ["signature", "valid", "signature", false],
    ["audience", "valid", "audience", false],
    ["malformed", "inactive", "inactive", true],
    ["unavailable", "inactive", "unavailable", true],
    ["inactive", "unavailable", "unavailable", true],
    ["other issuer", "other issuer", "issuer", true],
  ])("%s and %s: %s", async (first, second, outcome, isSecondAsked) => {
    const other = fake("b", second);
    expect(await outcomeOf(anyVerifier(fake("a", first), other), "token")).toBe(outcome);
    expect(other.calls).toBe(isSecondAsked ? 1 : 0);
  });

  test("an error of the server is passed on", async () => {
    const broken = {
      ...fake("a", "valid"),
      verifyAccessToken: () => {
        throw new Error("a bug");
      },
    };
    await expect(outcomeOf(anyVerifier(broken, fake("b", "valid")), "token")).rejects.toThrow("a bug");
  });

  test("accept the tokens of all issuers, and keep them as long as all allow", () => {
    const both = anyVerifier(fake("a", "valid", { cacheMs: Infinity }), fake("b", "valid", { cacheMs: 10 }));
    expect(both).toMatchObject({ issuers: ["https://a.example.com", "https://b.example.com"], cacheMs: 10 });
    expect(both.audiences).toBeUndefined();
    expect(anyVerifier(fake("a", "valid"), fake("b", "valid", { cacheMs: 10 })).cacheMs).toBe(0);
    const audiences = (list: readonly string[]): OAuthTokenVerifier => fake("a", "valid", { audiences: list });
    expect(anyVerifier(audiences(["a", "b"]), audiences(["b", "c"])).audiences).toEqual(["a", "b", "c"]);
  });

  test.each<[string, readonly OAuthTokenVerifier[]]>([
    ["none", []],
    ["one with and one without audience", [fake("a", "valid", { audiences: ["a"] }), fake("b", "valid")]],
  ])("%s: refused", (_name, verifiers) =>
    expect(() => anyVerifier(...verifiers)).toThrow(expect.objectContaining({ code: "INVALID_CONFIGURATION" })),
  );

  test("a JWT of one issuer and opaque tokens of another", async () => {
    const issuer = await FakeIssuer.create();
    const opaque = fake("opaque", "valid");
    const both = anyVerifier(jwtVerifier({ issuer: issuer.issuer, fetch: issuer.fetch }), opaque);
    expect(await outcomeOf(both, await issuer.token())).toBe("valid");
    expect(opaque.calls).toBe(0);
    expect(await outcomeOf(both, "an-opaque-token")).toBe("valid");
    expect(opaque.calls).toBe(1);
    expect(await outcomeOf(both, await issuer.token({ claims: { exp: 1 } }))).toBe("expired");
    expect(opaque.calls).toBe(1);
  });

  test("the claims are those of one of them", async () => {
    const typed = <Claims extends object>(claims: Claims): OAuthTokenVerifier<Claims> => ({
      issuers: ["https://a.example.com"],
      verifyAccessToken: () => ({ ...fake("a", "valid").verifyAccessToken(), claims }),
    });
    const both = anyVerifier(typed({ a: 1 }), typed({ b: "x" }));
    const { claims } = await both.verifyAccessToken("token", { resource });
    expectTypeOf(claims).toEqualTypeOf<{ a: number } | { b: string }>();
  });
});
