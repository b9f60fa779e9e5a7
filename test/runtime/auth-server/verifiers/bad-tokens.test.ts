import { base64url, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, test } from "vitest";
import { jwtVerifier } from "../../../../runtime/src/auth-server/verifiers/jwt-verifier.js";
import { FakeIssuer, issuerKey, rawToken, resource, seconds, type TokenParts, validClaims } from "./fake-issuer.js";
import { outcomeOf } from "./outcome.js";

const issuer = await FakeIssuer.create();
const rsa = await issuerKey("rsa", "RS256");
const first = await issuerKey("first");
issuer.keys = [first, rsa];
const verifier = jwtVerifier({ issuer: issuer.issuer, fetch: issuer.fetch });
const header = { alg: "ES256", kid: "first", typ: "at+jwt" };

/** A token with an HMAC whose secret is a text form of the public key. */
async function withHmac(secret: string, kid: string): Promise<string> {
  return new SignJWT(validClaims(issuer.issuer))
    .setProtectedHeader({ ...header, alg: "HS256", kid })
    .sign(new TextEncoder().encode(secret));
}

/** A valid signature over bytes that SignJWT would not make. */
async function signed(headerText: string, claimsText: string): Promise<string> {
  const input = `${base64url.encode(headerText)}.${base64url.encode(claimsText)}`;
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const signature = await crypto.subtle.sign(algorithm, first.privateKey, new TextEncoder().encode(input));
  return `${input}.${base64url.encode(new Uint8Array(signature))}`;
}

async function tampered(change: (parts: [string, string, string]) => readonly string[]): Promise<string> {
  return change((await issuer.token()).split(".") as [string, string, string]).join(".");
}

describe("the signature", () => {
  test.each<[string, string, () => Promise<string> | string]>([
    ["is none", "algorithm", () => new UnsecuredJWT(validClaims(issuer.issuer)).encode()],
    ["is NONE", "algorithm", () => rawToken({ ...header, alg: "NONE" }, validClaims(issuer.issuer))],
    ["is none, with a signature", "algorithm", () => rawToken({ ...header, alg: "none" }, {}, "c2lnbmF0dXJl")],
    ["is an HMAC with the public JWK", "algorithm", () => withHmac(JSON.stringify(rsa.jwk), "rsa")],
    ["is an HMAC with the modulus", "algorithm", () => withHmac(String(rsa.jwk.n), "rsa")],
    ["is an inherited member's name", "algorithm", () => rawToken({ ...header, alg: "constructor" }, {}, "AAAA")],
    ["is a list of algorithms", "algorithm", () => rawToken({ ...header, alg: ["ES256"] }, {}, "AAAA")],
    ["is missing", "algorithm", () => rawToken({ kid: "first" }, validClaims(issuer.issuer), "AAAA")],
    ["is empty", "signature", () => tampered(([head, body]) => [head, body, ""])],
    ["is zero", "signature", () => tampered(([head, body]) => [head, body, base64url.encode(new Uint8Array(64))])],
    [
      "is of other claims",
      "signature",
      async () => {
        const other = await issuer.token({ claims: { sub: "admin" } });
        return tampered(([head, , signature]) => [head, String(other.split(".")[1]), signature]);
      },
    ],
    [
      "is of another key",
      "signature",
      async () => issuer.token({ key: { ...(await issuerKey("x")), jwk: first.jwk } }),
    ],
    ["does not fit the key", "algorithm", () => issuer.token({ key: first, header: { kid: "rsa" } })],
    [
      "has the algorithm of another key",
      "algorithm",
      async () => issuer.token({ key: { ...(await issuerKey("p", "PS256")), jwk: rsa.jwk } }),
    ],
  ])("%s: %s", async (_name, reason, token) => expect(await outcomeOf(verifier, await token())).toBe(reason));

  test("is of an accepted algorithm only", async () => {
    const strict = jwtVerifier({ issuer: issuer.issuer, algorithms: ["RS256"], fetch: issuer.fetch });
    expect(await outcomeOf(strict, await issuer.token())).toBe("algorithm");
    expect(await outcomeOf(strict, await issuer.token({ key: rsa }))).toBe("valid");
  });

  test.each([
    ["for encryption", { use: "enc" }],
    ["for signing only", { key_ops: ["sign"] }],
    ["for another algorithm", { alg: "ES384" }],
    ["on another curve", { crv: "P-384" }],
    ["a private one", { kty: "oct", k: "c2VjcmV0" }],
  ])("is not verified with a key %s", async (_name, members) => {
    const other = await FakeIssuer.create();
    other.keys = [{ ...first, jwk: { ...first.jwk, ...members } }];
    const strict = jwtVerifier({ issuer: issuer.issuer, fetch: other.fetch });
    expect(await outcomeOf(strict, await issuer.token())).toBe("algorithm");
  });

  test("is not verified with a short RSA key", async () => {
    const algorithm = { name: "RSASSA-PKCS1-v1_5", modulusLength: 1_024, publicExponent: new Uint8Array([1, 0, 1]) };
    const pair = await crypto.subtle.generateKey({ ...algorithm, hash: "SHA-256" }, true, ["sign", "verify"]);
    const jwk = { ...(await crypto.subtle.exportKey("jwk", pair.publicKey)), kid: "short" };
    const head = base64url.encode(JSON.stringify({ alg: "RS256", kid: "short", typ: "at+jwt" }));
    const input = `${head}.${base64url.encode(JSON.stringify(validClaims(issuer.issuer)))}`;
    const bytes = await crypto.subtle.sign(algorithm.name, pair.privateKey, new TextEncoder().encode(input));
    const weak = jwtVerifier({ issuer: issuer.issuer, jwks: { keys: [jwk as never] } });
    expect(await outcomeOf(weak, `${input}.${base64url.encode(new Uint8Array(bytes))}`)).toBe("algorithm");
  });

  test("is never verified with a key that the token brings", async () => {
    const own = await issuerKey("own");
    const before = issuer.requests.length;
    const members = { jwk: own.jwk, jku: "https://evil.example/jwks", x5u: "https://evil.example/x5u", x5c: ["AAAA"] };
    const token = await issuer.token({ key: own, header: { ...members, kid: "own" } });
    expect(await outcomeOf(verifier, token)).toBe("unknown-key");
    expect(issuer.requests.slice(before).filter((url) => url.includes("evil"))).toEqual([]);
    expect(await outcomeOf(verifier, await issuer.token({ key: own, header: { ...members, kid: undefined } }))).toBe(
      "signature",
    );
  });
});

describe("the form", () => {
  test.each<[string, () => Promise<string> | string]>([
    ["empty", () => ""],
    ["an opaque token", () => "secret-opaque-token"],
    ["only dots", () => ".."],
    ["two parts", () => tampered(([head, body]) => [head, body])],
    ["four parts", () => tampered((parts) => [...parts, "AAAA"])],
    ["five parts (JWE)", () => "eyJhbGciOiJkaXIifQ....AAAA"],
    ["padding", () => tampered(([head, body, signature]) => [head, body, `${signature}==`])],
    ["a space before", async () => ` ${await issuer.token()}`],
    ["a line end after", async () => `${await issuer.token()}\n`],
    ["a null character", async () => `${await issuer.token()}\0`],
    ["a header that is a list", () => rawToken([], {}, "AAAA")],
    ["a header that is null", () => rawToken(null, {}, "AAAA")],
    ["claims that are a text", () => rawToken(header, "x", "AAAA")],
    ["claims that are not JSON", () => signed(JSON.stringify(header), "{'iss': 1}")],
    [
      "claims with a byte order mark",
      () => signed(JSON.stringify(header), `\ufeff${JSON.stringify(validClaims(issuer.issuer))}`),
    ],
    ["claims of 100 levels", () => rawToken(header, JSON.parse("[".repeat(100) + "]".repeat(100)), "AAAA")],
    ["a kid that is a number", () => issuer.token({ header: { kid: 1 } })],
    [
      "a critical extension",
      () => signed(JSON.stringify({ ...header, crit: ["x"], x: 1 }), JSON.stringify(validClaims(issuer.issuer))),
    ],
    ["an unencoded payload", () => signed(JSON.stringify({ ...header, crit: ["b64"], b64: false }), "{}")],
    ["no critical extension in crit", () => rawToken({ ...header, crit: [] }, {}, "AAAA")],
    ["17,000 characters", () => issuer.token({ claims: { x: "x".repeat(12_700) } })],
    ["a million characters", () => `${"A".repeat(1e6)}.${"A".repeat(1e6)}.AAAA`],
    ["a million dots", () => ".".repeat(1e6)],
  ])("%s: malformed", async (_name, token) => expect(await outcomeOf(verifier, await token())).toBe("malformed"));

  test("letters that are not ASCII: malformed", async () => {
    const token = await issuer.token();
    for (const letter of ["\uff11", "\u0131", "\u212a", "\u200b", "\ud800"])
      expect(await outcomeOf(verifier, token.slice(0, 40) + letter + token.slice(41))).toBe("malformed");
  });

  test("of two equal members, the one that was verified counts", async () => {
    const claims = JSON.stringify(validClaims(issuer.issuer));
    const twice = await signed(
      JSON.stringify(header),
      claims.replace("{", '{"sub":"admin","iss":"https://evil.example",'),
    );
    const { subject } = await verifier.verifyAccessToken(twice, { resource });
    expect(subject).toBe("user-1");
    expect(await outcomeOf(verifier, await signed('{"alg":"ES256","kid":"first","alg":"none"}', claims))).toBe(
      "algorithm",
    );
  });

  test("the name of a prototype gives no member", async () => {
    const claims = JSON.stringify({ ...validClaims(issuer.issuer), sub: undefined, client_id: undefined });
    const token = await signed(JSON.stringify(header), claims.replace("{", '{"__proto__":{"sub":"admin"},'));
    expect(await outcomeOf(verifier, token)).toBe("claims");
  });
});

test("a token with one changed, missing or additional character is never valid", async () => {
  const token = await issuer.token();
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=~ ";
  const accepted: string[] = [];
  const attempt = async (changed: string): Promise<void> => {
    if (changed !== token && (await outcomeOf(verifier, changed)) === "valid") accepted.push(changed);
  };
  for (let at = 0; at < token.length; at++) {
    const other = alphabet[(at * 7) % alphabet.length] ?? "";
    await attempt(token.slice(0, at) + other + token.slice(at + 1));
    await attempt(token.slice(0, at) + token.slice(at + 1));
    await attempt(token.slice(0, at) + other + token.slice(at));
  }
  // Some bits of the last character belong to no byte.
  for (const last of alphabet) await attempt(token.slice(0, -1) + last);
  expect(accepted).toEqual([]);
});

describe("the claims", () => {
  const now = seconds();
  const jkt = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I";
  test.each<[string, string, Readonly<Record<string, unknown>>]>([
    ["no issuer", "issuer", { iss: undefined }],
    ["another issuer", "issuer", { iss: "https://evil.example" }],
    ["the issuer with a slash", "issuer", { iss: `${issuer.issuer}/` }],
    ["the issuer in capitals", "issuer", { iss: issuer.issuer.toUpperCase() }],
    ["a list of issuers", "issuer", { iss: [issuer.issuer] }],
    ["the name of an inherited member", "issuer", { iss: "constructor" }],
    ["no audience", "claims", { aud: undefined }],
    ["another audience", "audience", { aud: "https://other.example.com/mcp" }],
    ["an empty list of audiences", "audience", { aud: [] }],
    ["an audience that begins with the resource", "audience", { aud: `${resource}2` }],
    ["an audience that is an object", "claims", { aud: { 0: resource } }],
    ["an audience in a list in a list", "claims", { aud: [[resource]] }],
    ["its client as audience", "audience", { aud: "client-1" }],
    ["no end", "claims", { exp: undefined }],
    ["an end as text", "claims", { exp: String(now + 300) }],
    ["an end that is null", "claims", { exp: null }],
    ["an end 31 seconds ago", "expired", { exp: now - 31 }],
    ["a negative end", "expired", { exp: -1 }],
    ["a start in 40 seconds", "not-yet-valid", { nbf: now + 40 }],
    ["an issue in 40 seconds", "not-yet-valid", { iat: now + 40 }],
    ["a start as text", "claims", { nbf: "now" }],
    ["an issue that is an object", "claims", { iat: {} }],
    ["neither subject nor client", "claims", { sub: undefined, client_id: undefined }],
    ["an empty subject", "claims", { sub: "" }],
    ["a subject that is a number", "claims", { sub: 1 }],
    ["a subject that is null", "claims", { sub: null }],
    ["a client that is a list", "claims", { client_id: ["client-1"] }],
    ["a scope that is a number", "claims", { scope: 1 }],
    ["a scope with other values", "claims", { scope: ["a", { b: 1 }] }],
    ["a certificate that it is bound to", "proof", { cnf: { "x5t#S256": jkt } }],
    ["a key and a certificate", "proof", { cnf: { jkt, "x5t#S256": jkt } }],
    ["an empty confirmation", "proof", { cnf: {} }],
    ["a confirmation that is null", "proof", { cnf: null }],
    ["a thumbprint that is none", "claims", { cnf: { jkt: "secret-thumbprint" } }],
    ["a thumbprint that is a list", "proof", { cnf: { jkt: [jkt] } }],
  ])("%s: %s", async (_name, reason, claims) => {
    expect(await outcomeOf(verifier, await issuer.token({ claims }))).toBe(reason);
  });

  test("an end that JSON cannot express: claims", async () => {
    const claims = JSON.stringify({ ...validClaims(issuer.issuer), exp: 0 }).replace('"exp":0', '"exp":1e999');
    expect(await outcomeOf(verifier, await signed(JSON.stringify(header), claims))).toBe("claims");
  });

  test("an age above the limit: expired", async () => {
    const young = jwtVerifier({ issuer: issuer.issuer, fetch: issuer.fetch, maxTokenAgeSeconds: 60 });
    expect(await outcomeOf(young, await issuer.token({ claims: { iat: now - 100 } }))).toBe("expired");
    expect(await outcomeOf(young, await issuer.token({ claims: { iat: undefined } }))).toBe("claims");
    const { expiresAt } = await young.verifyAccessToken(await issuer.token({ claims: { iat: now - 10 } }), {
      resource,
    });
    expect(expiresAt).toBe(now + 50);
  });
});

describe("the type", () => {
  const plain = { typ: undefined };
  test.each<[string, string, TokenParts]>([
    ["application/at+jwt", "valid", { header: { typ: "application/at+jwt" } }],
    ["AT+JWT", "valid", { header: { typ: "AT+JWT" } }],
    ["JWT", "valid", { header: { typ: "JWT" } }],
    ["none", "valid", { header: plain }],
    ["none, of Keycloak", "valid", { header: plain, claims: { typ: "Bearer", nonce: "n" } }],
    ["none, of Cognito", "valid", { header: plain, claims: { token_use: "access" } }],
    [
      "none, of Entra ID for a service",
      "valid",
      { header: plain, claims: { scope: undefined, client_id: undefined, azp: "a", azpacr: "1" } },
    ],
    [
      "none, without a sign of an access token",
      "malformed",
      { header: plain, claims: { scope: undefined, client_id: undefined } },
    ],
    ["an ID token with a nonce", "malformed", { header: { typ: "JWT" }, claims: { nonce: "n" } }],
    ["an ID token with at_hash", "malformed", { header: plain, claims: { at_hash: "h" } }],
    ["an ID token of Keycloak", "malformed", { header: plain, claims: { typ: "ID" } }],
    ["a refresh token of Keycloak", "malformed", { header: plain, claims: { typ: "Refresh" } }],
    ["an ID token of Cognito", "malformed", { header: plain, claims: { token_use: "id" } }],
    ["a log-out token without type", "malformed", { header: plain, claims: { events: {} } }],
    ["logout+jwt", "malformed", { header: { typ: "logout+jwt" } }],
    ["dpop+jwt", "malformed", { header: { typ: "dpop+jwt" } }],
    ["secevent+jwt", "malformed", { header: { typ: "secevent+jwt" } }],
    ["token-introspection+jwt", "malformed", { header: { typ: "token-introspection+jwt" } }],
    ["a number", "malformed", { header: { typ: 1 } }],
  ])("%s: %s", async (_name, outcome, parts) =>
    expect(await outcomeOf(verifier, await issuer.token(parts))).toBe(outcome),
  );

  test("can be limited to RFC 9068", async () => {
    const strict = jwtVerifier({ issuer: issuer.issuer, typ: "at+jwt", fetch: issuer.fetch });
    expect(await outcomeOf(strict, await issuer.token())).toBe("valid");
    for (const typ of ["JWT", undefined, "at"])
      expect(await outcomeOf(strict, await issuer.token({ header: { typ } }))).toBe("malformed");
  });
});
