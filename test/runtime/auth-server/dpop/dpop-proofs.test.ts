import { createHmac } from "node:crypto";
import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, it } from "vitest";
import type { ProvenRequest } from "../../../../runtime/src/auth-server/dpop/dpop-proofs.js";
import { signatureAlgorithms } from "../../../../runtime/src/auth-server/signature-algorithms.js";
import { DpopKey } from "../../../../runtime/src/auth/tokens/dpop.js";
import { sha256 } from "../../auth/dpop-checks.js";
import { createProofs, encode, type Members, ProofMaker, resource, token } from "./proof-maker.js";

let maker: ProofMaker;
let other: ProofMaker;
let rsa: ProofMaker;

beforeAll(async () => {
  [maker, other, rsa] = await Promise.all([ProofMaker.create(), ProofMaker.create(), ProofMaker.create("PS256")]);
});

const now = (): number => Math.floor(Date.now() / 1_000);
const invalidProof = (message: string): object => ({ name: "InvalidTokenError", reason: "proof", message });

describe("a proof is accepted", () => {
  it.each([...signatureAlgorithms.keys()])("with a signature of %s", async (alg) => {
    const signer = await ProofMaker.create(alg);
    const proofs = createProofs();
    expect(proofs.algorithms).toContain(alg);
    for (let count = 0; count < 2; count++)
      await expect(proofs.verify(await signer.proof(), signer.request())).resolves.toBeUndefined();
  });

  it.each<[string, Members, Partial<ProvenRequest>?]>([
    ["with another spelling of the URL", { htu: "HTTPS://MCP.Example:443/a/../%6dcp" }],
    ["with a query and a fragment in htu", { htu: "https://mcp.example/mcp?x=1#y" }],
    ["with a query in the path of the request", {}, { path: "/mcp?x=1" }],
    ["for the received path", { htu: "https://mcp.example/messages" }, { path: "/messages?sessionId=1" }],
    ["with another case of an encoded path", { htu: "https://mcp.example/a%2fb" }, { path: "/a%2Fb" }],
    ["for the URL of the server, when a proxy has replaced the path", {}, { path: "/internal" }],
    ["made minutes ago", { iat: now() - 200 }],
    ["by a clock that is ahead", { iat: now() + 290 }],
    ["with a time in fractions of a second", { iat: now() + 0.25 }],
    ["that expires later", { exp: now() + 60, nbf: now() - 60 }],
    ["with members that RFC 9449 does not define", { nonce: "of another server", more: { x: [1] }, text: "é漢😀" }],
    ["with the longest id", { jti: "x".repeat(256) }],
  ])("%s", async (_title, claims, request) => {
    await expect(createProofs().verify(await maker.proof(claims), maker.request(request))).resolves.toBeUndefined();
  });

  it("of a client of this package", async () => {
    const proofs = createProofs({ nonces: true });
    const key = await DpopKey.generate();
    const { kty, crv, x, y } = key.privateJwk as { kty: string; crv: string; x: string; y: string };
    const keyThumbprint = await sha256(JSON.stringify({ crv, kty, x, y }));
    const request = { method: "POST", path: "/mcp", token, keyThumbprint };
    await expect(proofs.verify(await key.proof("POST", resource, token), request)).rejects.toThrow("has no nonce");
    key.learnNonce(new Response(null, { headers: { "dpop-nonce": (await proofs.nonce()) ?? "" } }), resource);
    for (const url of [resource, new URL("?x=1", resource)])
      await expect(proofs.verify(await key.proof("POST", url, token), request)).resolves.toBeUndefined();
  });

  it.each(["ES256", "Ed25519", "PS256", "RS256"])("of oauth4webapi, with %s", async (alg) => {
    const proofs = createProofs({ nonces: true });
    const { publicKey, privateKey } = await oauth.generateKeyPair(alg);
    const handle = oauth.DPoP({}, { publicKey, privateKey });
    const keyThumbprint = await handle.calculateThumbprint();
    const statuses: number[] = [];
    const call = async (): Promise<Response> =>
      oauth.protectedResourceRequest(token, "POST", resource, undefined, undefined, {
        DPoP: handle,
        [oauth.customFetch]: async (url, { method, headers }) => {
          const request = { method, path: new URL(url).pathname, token, keyThumbprint };
          const error = await caught(proofs.verify(headers["dpop"], request)).catch(() => undefined);
          const status = error ? 401 : 200;
          statuses.push(status);
          const challenge = { "www-authenticate": 'DPoP error="use_dpop_nonce", algs="ES256"' };
          const nonce = { "dpop-nonce": (await proofs.nonce()) ?? "" };
          return new Response(null, { status, headers: { ...nonce, ...(error && challenge) } });
        },
      });
    await call().catch(() => undefined);
    await call();
    await call();
    expect(statuses).toEqual([401, 200, 200]);
  });
});

async function caught(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => expect.fail("it was accepted"),
    (error: unknown) => error as Error,
  );
}

describe("a proof is rejected", () => {
  const prefix = "The DPoP proof is not valid: ";
  const algorithms = [...signatureAlgorithms.keys()].join(", ");
  const wrongAlg = `its alg must be one of ${algorithms}`;
  const wrongJwk = "its jwk is not a public key for ES256";
  const wrongJti = "its jti must be a string of 1 to 256 characters";
  const wrongAth = "its ath must be the SHA-256 hash of the access token, in base64url";
  const wrongIat = "its iat must be the time at which it was made, in seconds since 1970";
  const wrongTarget = "its htu is not the URL of the request";
  const crit = "its header has crit or b64, which are not supported";

  it.each<[string, Members, string]>([
    ["for another method", { htm: "GET" }, "its htm is not the method of the request, POST"],
    ["for a method in lower case", { htm: "post" }, "its htm is not the method of the request, POST"],
    ["without method", { htm: undefined }, "its htm must be the method of the request"],
    ["for another origin", { htu: "https://evil.example/mcp" }, wrongTarget],
    ["for another scheme", { htu: "http://mcp.example/mcp" }, wrongTarget],
    ["for another port", { htu: "https://mcp.example:8443/mcp" }, wrongTarget],
    ["for another path", { htu: "https://mcp.example/other" }, wrongTarget],
    ["for a path in another case", { htu: "https://mcp.example/MCP" }, wrongTarget],
    ["for a longer path", { htu: "https://mcp.example/mcp/" }, wrongTarget],
    ["for a user of the server", { htu: "https://user@mcp.example/mcp" }, wrongTarget],
    ["for a path alone", { htu: "/mcp" }, wrongTarget],
    ["for a URL with a line break", { htu: "https://mcp.example/m\ncp" }, wrongTarget],
    ["for a URL with a backslash", { htu: "https://mcp.example\\mcp" }, wrongTarget],
    ["for a URL with too many slashes", { htu: "https:///mcp.example/mcp" }, wrongTarget],
    ["for something that is not a URL", { htu: "https://[mcp" }, wrongTarget],
    ["without URL", { htu: undefined }, "its htu must be the URL of the request, without query and fragment"],
    [
      "for another token",
      { ath: "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo" },
      "its ath is not the hash of the access token of the request",
    ],
    ["without token", { ath: undefined }, wrongAth],
    ["with a hash that is a number", { ath: 1 }, wrongAth],
    ["made too long ago", { iat: now() - 400 }, "its iat is more than 300 seconds ago; make a new one"],
    [
      "made in the future",
      { iat: now() + 400 },
      "its iat is more than 300 seconds in the future; set the clock of the client",
    ],
    [
      "made in milliseconds",
      { iat: Date.now() },
      "its iat is more than 300 seconds in the future; set the clock of the client",
    ],
    ["without time", { iat: undefined }, wrongIat],
    ["with a time that is text", { iat: String(now()) }, wrongIat],
    ["with a time that is null", { iat: null }, wrongIat],
    ["that has expired", { exp: now() - 1 }, "it has expired (exp)"],
    ["with an expiry that is text", { exp: "tomorrow" }, "it has expired (exp)"],
    ["that is not valid yet", { nbf: now() + 400 }, "it is not valid yet (nbf)"],
    ["without id", { jti: undefined }, wrongJti],
    ["with an empty id", { jti: "" }, wrongJti],
    ["with an id that is a number", { jti: 1 }, wrongJti],
    ["with an id that is too long", { jti: "x".repeat(257) }, wrongJti],
    ["with a nonce that is a number", { nonce: 1 }, "its nonce must be a string"],
  ])("%s", async (_title, claims, problem) => {
    const proofs = createProofs();
    await expect(proofs.verify(await maker.proof(claims), maker.request())).rejects.toMatchObject(
      invalidProof(prefix + problem),
    );
  });

  it.each<[string, () => Members, string]>([
    ["of another type", () => ({ typ: "JWT" }), 'its typ must be "dpop+jwt"'],
    ["of a type in upper case", () => ({ typ: "DPOP+JWT" }), 'its typ must be "dpop+jwt"'],
    ["without type", () => ({ typ: undefined }), 'its typ must be "dpop+jwt"'],
    ["with alg none", () => ({ alg: "none" }), wrongAlg],
    ["with alg HS256", () => ({ alg: "HS256" }), wrongAlg],
    ["with alg of Object.prototype", () => ({ alg: "constructor" }), wrongAlg],
    ["without alg", () => ({ alg: undefined }), wrongAlg],
    ["with alg that is an array", () => ({ alg: ["ES256"] }), wrongAlg],
    ["with the private key", () => ({ jwk: maker.privateJwk }), "its jwk contains a private or secret key"],
    ["with a secret key", () => ({ jwk: { kty: "oct", k: "AAAA" } }), "its jwk contains a private or secret key"],
    ["without key", () => ({ jwk: undefined }), "its header has no jwk"],
    ["with a key that is text", () => ({ jwk: "key" }), "its header has no jwk"],
    ["with a key that is an array", () => ({ jwk: [maker.publicJwk] }), "its header has no jwk"],
    ["with a key of another type", () => ({ jwk: rsa.publicJwk }), wrongJwk],
    ["with a key of another curve", () => ({ jwk: { ...maker.publicJwk, crv: "P-384" } }), wrongJwk],
    ["with half a key", () => ({ jwk: { ...maker.publicJwk, y: undefined } }), wrongJwk],
    ["with a coordinate that is not base64url", () => ({ jwk: { ...maker.publicJwk, x: "+".repeat(43) } }), wrongJwk],
    ["with a key of another algorithm", () => ({ jwk: { ...maker.publicJwk, alg: "ES384" } }), wrongJwk],
    ["with a key to encrypt", () => ({ jwk: { ...maker.publicJwk, use: "enc" } }), wrongJwk],
    ["with a key to sign", () => ({ jwk: { ...maker.publicJwk, key_ops: ["sign"] } }), wrongJwk],
    [
      "with a point that is not on the curve",
      () => ({ jwk: { ...maker.publicJwk, x: "A".repeat(43) } }),
      "its jwk is not a valid public key",
    ],
    [
      "with another key",
      () => ({ jwk: other.publicJwk }),
      "it was made with another key than the one that the token is bound to",
    ],
    ["with crit", () => ({ crit: ["exp"], exp: 1 }), crit],
    ["with b64", () => ({ crit: ["b64"], b64: false }), crit],
    ["with b64 alone", () => ({ b64: false }), crit],
    ["with another algorithm of the same key type", () => ({ alg: "ES384" }), "its jwk is not a public key for ES384"],
    ["with a long header", () => ({ more: "x".repeat(1_600) }), "its header has more than 2048 characters"],
  ])("%s", async (_title, header, problem) => {
    const proof = await maker.proof({}, header());
    await expect(createProofs().verify(proof, maker.request())).rejects.toMatchObject(invalidProof(prefix + problem));
  });

  it.each<[string, number, string]>([
    ["shorter than 2,048 bits", 1_024, "its jwk is not a public key for RS256"],
    ["longer than 4,096 bits", 4_104, "its jwk is not a public key for RS256"],
  ])("with an RSA key that is %s", async (_title, bits, problem) => {
    const n = encode(new Uint8Array(bits / 8).fill(0xff));
    const proof = await maker.proof({}, { alg: "RS256", jwk: { kty: "RSA", e: "AQAB", n } });
    await expect(createProofs().verify(proof, maker.request())).rejects.toMatchObject(invalidProof(prefix + problem));
  });

  it("with an RSA key whose exponent takes long to verify", async () => {
    const proof = await rsa.proof({}, { jwk: { ...rsa.publicJwk, e: rsa.publicJwk.n } });
    await expect(createProofs().verify(proof, rsa.request())).rejects.toThrow("its jwk is not a public key for PS256");
  });

  it("with an algorithm that the server does not accept", async () => {
    const proofs = createProofs({ algorithms: ["ES256"] });
    expect(proofs.algorithms).toEqual(["ES256"]);
    await expect(proofs.verify(await rsa.proof(), rsa.request())).rejects.toThrow("its alg must be one of ES256");
    await expect(proofs.verify(await maker.proof(), maker.request())).resolves.toBeUndefined();
  });

  const jws = "it is not a JWS in compact form";
  const mismatch = "its signature does not match";

  it.each<[string, (proof: string) => string | Promise<string>, string]>([
    ["nothing", () => "", jws],
    ["garbage", () => "garbage", jws],
    ["a proof without signature", (proof) => proof.slice(0, proof.lastIndexOf(".")), jws],
    ["a proof with an empty signature", (proof) => proof.slice(0, proof.lastIndexOf(".") + 1), jws],
    ["a proof with four parts", (proof) => `${proof}.AAAA`, jws],
    ["a proof with padding", (proof) => `${proof}==`, jws],
    ["a proof with a space", (proof) => `${proof} `, jws],
    ["a JWS in JSON form", (proof) => JSON.stringify({ payload: proof }), jws],
    ["two proofs", (proof) => `${proof}, ${proof}`, "the request has more than one DPoP header"],
    ["a huge proof", (proof) => proof + "A".repeat(4_096), "it has more than 4096 characters"],
    ["megabytes", () => "A".repeat(5_000_000), "it has more than 4096 characters"],
    ["another payload", async (proof) => replaced(proof, 1, await maker.claims({ sub: "eve" })), mismatch],
    [
      "the header of another proof with the same key",
      (proof) => replaced(proof, 0, maker.header({ kid: "1" })),
      mismatch,
    ],
    ["a signature of zeros", (proof) => replaced(proof, 2, new Uint8Array(64)), mismatch],
    ["a signature that is too short", (proof) => replaced(proof, 2, new Uint8Array(8)), mismatch],
    ["a signature that is too long", (proof) => replaced(proof, 2, new Uint8Array(96).fill(1)), mismatch],
    ["a signature that is not base64url", (proof) => `${proof.slice(0, proof.lastIndexOf("."))}.A`, jws],
    ["a payload that is an array", (proof) => replaced(proof, 1, []), "its payload is not a JSON object"],
    ["a payload that is not JSON", (proof) => replaced(proof, 1, "{"), "its payload is not a JSON object"],
    [
      "a payload that is not UTF-8",
      (proof) => replaced(proof, 1, Uint8Array.of(0x22, 0xff, 0x22)),
      "its payload is not a JSON object",
    ],
    ["a header that is not an object", (proof) => replaced(proof, 0, "null"), "its header is not a JSON object"],
    ["an HMAC with the public key as its secret", hmac, wrongAlg],
  ])("that is %s", async (_title, change, problem) => {
    const proof = await change(await maker.proof());
    await expect(createProofs().verify(proof, maker.request())).rejects.toMatchObject(invalidProof(prefix + problem));
  });

  it("that is missing", async () => {
    await expect(createProofs().verify(undefined, maker.request())).rejects.toMatchObject({
      reason: "proof",
      message: "The access token is bound to a key (RFC 9449), but the request has no DPoP header with a proof of it",
    });
  });

  it.each(["https://mcp.example/mcp", "@evil.example/mcp", ".evil.example/mcp", "*", ""])(
    "for another origin, when the path of the request is %j",
    async (path) => {
      const proofs = createProofs();
      for (const htu of [
        "https://mcp.example@evil.example/mcp",
        "https://mcp.example.evil.example/mcp",
        "https://evil.example/mcp",
      ])
        await expect(proofs.verify(await maker.proof({ htu }), maker.request({ path }))).rejects.toThrow(wrongTarget);
    },
  );

  it("when it was used before", async () => {
    const proofs = createProofs();
    const proof = await maker.proof();
    await proofs.verify(proof, maker.request());
    await expect(proofs.verify(proof, maker.request())).rejects.toThrow("its jti was used before");
  });

  it("with another text of the same signature", async () => {
    const proofs = createProofs();
    const proof = await maker.proof();
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const last = alphabet.indexOf(proof.at(-1) ?? "");
    // The last character has four unused bits.
    for (let bits = 1; bits < 16; bits++) {
      const twin = proof.slice(0, -1) + (alphabet[last + bits] ?? "");
      await expect(proofs.verify(twin, maker.request())).rejects.toThrow(jws);
    }
    await expect(proofs.verify(proof, maker.request())).resolves.toBeUndefined();
  });

  it("when two requests use it at the same time", async () => {
    const proofs = createProofs();
    const proof = await maker.proof();
    const results = await Promise.allSettled([1, 2, 3].map(() => proofs.verify(proof, maker.request())));
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  });

  it("but its id can be that of a proof of another client", async () => {
    const proofs = createProofs();
    const jti = "1";
    await proofs.verify(await maker.proof({ jti }), maker.request());
    await expect(proofs.verify(await other.proof({ jti }), other.request())).resolves.toBeUndefined();
    await expect(proofs.verify(await maker.proof({ jti }), maker.request())).rejects.toThrow("its jti was used before");
  });

  it("without using up its id when its signature does not match", async () => {
    const proofs = createProofs();
    const proof = await maker.proof();
    await expect(proofs.verify(replaced(proof, 2, new Uint8Array(64)), maker.request())).rejects.toThrow(mismatch);
    await expect(proofs.verify(proof, maker.request())).resolves.toBeUndefined();
  });

  it.each([
    ["without algorithms", { algorithms: [] }, "dpop.algorithms must be some of"],
    ["with HS256", { algorithms: ["ES256", "HS256"] }, "got HS256"],
    ["with none", { algorithms: ["none"] }, "got none"],
    ["without time", { maxAgeSeconds: 0 }, "dpop.maxAgeSeconds must be more than 0 and finite, not 0"],
    ["with endless time", { maxAgeSeconds: Infinity }, "dpop.maxAgeSeconds"],
    [
      "with a short secret",
      { nonces: { secret: "short" } },
      "dpop.nonces.secret must be a random string of at least 32 characters",
    ],
    [
      "without lifetime of nonces",
      { nonces: { secret: "x".repeat(32), lifetimeSeconds: Number.NaN } },
      "dpop.nonces.lifetimeSeconds",
    ],
  ])("by no verification %s", (_title, options, message) => {
    expect(() => createProofs(options)).toThrow(message);
  });
});

/** Replaces a part of a proof, without a new signature. */
function replaced(proof: string, index: number, part: object | string): string {
  const text = typeof part === "string" || part instanceof Uint8Array ? part : JSON.stringify(part);
  return proof.split(".").with(index, encode(text)).join(".");
}

async function hmac(): Promise<string> {
  const header = encode(JSON.stringify(maker.header({ alg: "HS256" })));
  const payload = encode(JSON.stringify(await maker.claims()));
  const mac = createHmac("sha256", JSON.stringify(maker.publicJwk)).update(`${header}.${payload}`).digest();
  return `${header}.${payload}.${encode(mac)}`;
}
