import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AuthInfo, TokenFacts } from "../../../runtime/src/auth-server/auth-info.js";
import { TokenVerificationError } from "../../../runtime/src/auth-server/token-errors.js";
import type { OAuthTokenVerifier } from "../../../runtime/src/auth-server/token-verifier.js";
import { VerifiedTokens } from "../../../runtime/src/auth-server/verified-tokens.js";
import { deferred } from "../../../runtime/src/timing/deferred.js";
import { factsWith, issuer, resource, verifierOf } from "./requests.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function tokensOf(
  verifier: OAuthTokenVerifier,
  maxCachedTokens = 100,
): VerifiedTokens<Readonly<Record<string, unknown>>> {
  return new VerifiedTokens({
    verifier,
    resource,
    issuers: [issuer],
    audiences: [resource],
    maxCachedTokens,
    timeoutMs: 1_000,
  });
}

/** Verifies a token with a verifier that does not wait, or takes it from the cache. */
function verifyNow(tokens: VerifiedTokens<Readonly<Record<string, unknown>>>, token: string): AuthInfo {
  const info = tokens.verify(token);
  if (info instanceof Promise) throw new Error(`${token} was not verified at once`);
  return info;
}

describe("a verified token", () => {
  it("is not verified again until it expires, and is returned without a promise", async () => {
    const verifier = verifierOf(
      { a: () => Promise.resolve(factsWith({ expiresAt: Date.now() / 1_000 + 60 })) },
      Infinity,
    );
    const tokens = tokensOf(verifier);
    const first = await tokens.verify("a");
    expect(tokens.verify("a")).toBe(first);
    vi.advanceTimersByTime(59_999);
    expect(tokens.verify("a")).toBe(first);
    vi.advanceTimersByTime(1);
    expect(tokens.verify("a")).toBeInstanceOf(Promise);
    expect(verifier.verified.get("a")).toBe(2);
  });

  it("is verified again after cacheMs", () => {
    const verifier = verifierOf({ a: () => factsWith() }, 5_000);
    const tokens = tokensOf(verifier);
    verifyNow(tokens, "a");
    vi.advanceTimersByTime(4_999);
    verifyNow(tokens, "a");
    expect(verifier.verified.get("a")).toBe(1);
    vi.advanceTimersByTime(1);
    verifyNow(tokens, "a");
    expect(verifier.verified.get("a")).toBe(2);
  });

  it.each([undefined, 0])("is verified for each request with cacheMs %s", (cacheMs) => {
    const verifier = verifierOf({ a: () => factsWith() }, cacheMs);
    const tokens = tokensOf(verifier);
    for (let count = 0; count < 3; count++) verifyNow(tokens, "a");
    expect(verifier.verified.get("a")).toBe(3);
  });

  it("that was revoked is rejected when it is verified again", () => {
    const known: Record<string, TokenFacts> = { a: factsWith() };
    const tokens = tokensOf(verifierOf(known, 5_000));
    verifyNow(tokens, "a");
    delete known["a"];
    verifyNow(tokens, "a");
    vi.advanceTimersByTime(5_000);
    expect(() => tokens.verify("a")).toThrow("The token is not known");
  });

  it("cannot be changed by a verifier or a handler, because other requests share it", () => {
    const scopes = ["files:read"];
    const tokens = tokensOf(verifierOf({ a: factsWith({ scopes }) }, Infinity));
    const info = verifyNow(tokens, "a");
    scopes.push("files:write");
    expect(info.scopes).toEqual(["files:read"]);
    expect(() => (info.scopes as string[]).push("files:write")).toThrow(TypeError);
    expect(() => Object.assign(info, { subject: "bob" })).toThrow(TypeError);
  });

  it("is not printed", () => {
    const info = verifyNow(tokensOf(verifierOf({ "secret-token": factsWith() })), "secret-token");
    expect(info.token).toBe("secret-token");
    expect(JSON.stringify(info) + JSON.stringify(Object.entries(info))).not.toContain("secret-token");
  });
});

describe("many tokens", () => {
  it("share one verification while it runs", async () => {
    const { promise, resolve } = deferred();
    const verifier = verifierOf({ a: () => promise.then(() => factsWith()) }, Infinity);
    const tokens = tokensOf(verifier);
    const all = Promise.all(Array.from({ length: 50 }, async () => tokens.verify("a")));
    resolve();
    expect(new Set(await all).size).toBe(1);
    expect(verifier.verified.get("a")).toBe(1);
  });

  it("share a failed verification, after which the token is verified again", async () => {
    let count = 0;
    const verifier = verifierOf({
      a: async () => {
        count++;
        await Promise.resolve();
        throw new TokenVerificationError("down");
      },
    });
    const tokens = tokensOf(verifier);
    const outcomes = await Promise.allSettled([tokens.verify("a"), tokens.verify("a")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(count).toBe(1);
    await expect(tokens.verify("a")).rejects.toThrow("down");
    expect(count).toBe(2);
  });

  it("that are rejected displace no others", () => {
    const verifier = verifierOf({ good: () => factsWith() }, Infinity);
    const tokens = tokensOf(verifier, 4);
    verifyNow(tokens, "good");
    for (let index = 0; index < 1_000; index++) expect(() => verifyNow(tokens, `bad-${index}`)).toThrow();
    verifyNow(tokens, "good");
    expect(verifier.verified.get("good")).toBe(1);
  });

  it("are kept up to the limit: those that were used last", () => {
    const verifier = verifierOf(
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`t${index}`, factsWith()])),
      Infinity,
    );
    const tokens = tokensOf(verifier, 10);
    for (let index = 0; index < 100; index++) {
      verifyNow(tokens, `t${index}`);
      verifyNow(tokens, "t0");
    }
    expect(verifier.verified.get("t0")).toBe(1);
    expect(tokens.size).toBeLessThanOrEqual(10);
    verifyNow(tokens, "t1");
    expect(verifier.verified.get("t1")).toBe(2);
  });

  it.each([0, 1])("are verified one by one with room for %i", (max) => {
    const verifier = verifierOf({ a: factsWith(), b: factsWith() }, Infinity);
    const tokens = tokensOf(verifier, max);
    for (const token of ["a", "b", "a", "b"]) verifyNow(tokens, token);
    expect(verifier.verified.get("a")).toBe(2);
    expect(tokens.size).toBeLessThanOrEqual(max);
  });

  it("that wait for a verifier have a limit", async () => {
    const { promise, resolve } = deferred();
    const waiting = Object.fromEntries(
      Array.from({ length: 1_001 }, (_, index) => [`t${index}`, () => promise.then(() => factsWith())]),
    );
    const tokens = tokensOf(verifierOf(waiting, Infinity));
    const first = Array.from({ length: 1_000 }, async (_, index) => tokens.verify(`t${index}`));
    expect(() => tokens.verify("t1000")).toThrow(TokenVerificationError);
    resolve();
    await Promise.all(first);
    await expect(tokens.verify("t1000")).resolves.toMatchObject({ subject: "alice" });
  });
});

describe("a verifier", () => {
  it("that does not respond is aborted", async () => {
    let signal: AbortSignal | undefined;
    const verifier: OAuthTokenVerifier = {
      issuers: [issuer],
      verifyAccessToken: (_token, context) => {
        ({ signal } = context);
        return new Promise(() => undefined);
      },
    };
    const outcome = expect(tokensOf(verifier).verify("a")).rejects.toThrow(
      "The verifier did not finish within 1000 ms",
    );
    await vi.advanceTimersByTimeAsync(1_000);
    await outcome;
    expect(signal?.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  const soon = (): number => Date.now() / 1_000 + 60;
  const rows: readonly (readonly [string, unknown, string])[] = [
    ["nothing", undefined, "must return an object"],
    ["a string", "alice", "must return an object"],
    ["an array", [], "must return an object"],
    ["no issuer", factsWith({ issuer: undefined as never }), "must return the issuer"],
    ["an empty subject", factsWith({ subject: "" }), "must return the subject"],
    ["a number as subject", factsWith({ subject: 7 as never }), "must return the subject"],
    ["an empty client", factsWith({ clientId: "" }), "must return the clientId"],
    ["scopes in one string", factsWith({ scopes: "a b" as never }), "must return the scopes"],
    ["scopes of another type", factsWith({ scopes: [1] as never }), "must return the scopes"],
    ["an audience in a string", factsWith({ audience: resource as never }), "must return the audience"],
    ["no expiry", factsWith({ expiresAt: undefined as never }), "must return expiresAt"],
    ["an endless expiry", factsWith({ expiresAt: Infinity }), "must return expiresAt"],
    ["an expiry that is not a number", factsWith({ expiresAt: NaN }), "must return expiresAt"],
    ["an empty thumbprint", factsWith({ keyThumbprint: "" }), "must return the keyThumbprint"],
    ["a thumbprint of another type", factsWith({ keyThumbprint: null as never }), "must return the keyThumbprint"],
    ["no claims", factsWith({ claims: undefined as never }), "must return the claims"],
    [
      "another issuer",
      factsWith({ issuer: "https://evil.example" }),
      "issued by an authorization server that this server does not trust",
    ],
    ["an issuer with a slash more", factsWith({ issuer: `${issuer}/` }), "issued by an authorization server"],
    ["no audience", factsWith({ audience: [] }), "issued for another resource"],
    [
      "the audience of another server",
      factsWith({ audience: ["https://other.example/mcp"] }),
      "issued for another resource",
    ],
    ["a part of the audience", factsWith({ audience: ["https://mcp.example.com"] }), "issued for another resource"],
    ["an expired token", factsWith({ expiresAt: Date.now() / 1_000 - 301 }), "has expired"],
  ];
  it.each(rows)("that returns %s is not believed", async (_name, facts, message) => {
    const verifier = (outcome: unknown): OAuthTokenVerifier => ({
      issuers: [issuer],
      cacheMs: Infinity,
      verifyAccessToken: () => outcome as TokenFacts,
    });
    expect(() => tokensOf(verifier(facts)).verify("a")).toThrow(message);
    await expect(tokensOf(verifier(Promise.resolve(facts))).verify("a")).rejects.toThrow(message);
  });

  it("may have a leeway, but a token within it is verified for each request", () => {
    const verifier = verifierOf({ a: factsWith({ expiresAt: Date.now() / 1_000 - 30 }) }, Infinity);
    const tokens = tokensOf(verifier);
    verifyNow(tokens, "a");
    verifyNow(tokens, "a");
    expect(verifier.verified.get("a")).toBe(2);
  });

  it("may return scopes that no server can require; they are left out", () => {
    const facts = factsWith({ scopes: ["a", 'b"', "c d", "", "e\r\nx: y"], expiresAt: soon() });
    expect(tokensOf(verifierOf({ a: facts })).verify("a")).toMatchObject({ scopes: ["a"] });
  });
});
