import { describe, expect, it, vi } from "vitest";
import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  EmbeddedJWK,
  exportJWK,
  generateKeyPair,
  jwtVerify,
} from "jose";
import type { JWK, JWTPayload } from "jose";
import type { OAuthOptions } from "../../../../runtime/src/auth/oauth-options.js";
import { acceptsDpopProofs, DpopKey } from "../../../../runtime/src/auth/tokens/dpop.js";
import { TokenEndpoint } from "../../../../runtime/src/auth/tokens/token-endpoint.js";
import { discovered, FakeEndpoint, issuer, publicClient, tokenResponse } from "./fake-endpoint.js";

const url = new URL("https://mcp.example:8443/mcp/a%20b?tenant=1#top");

async function verified(proof: string): Promise<JWTPayload> {
  const { payload } = await jwtVerify(proof, EmbeddedJWK, { typ: "dpop+jwt", algorithms: ["ES256"] });
  return payload;
}

const withNonce = (nonce: string, init: ResponseInit = {}): Response =>
  Response.json({ error: "use_dpop_nonce" }, { ...init, headers: { "dpop-nonce": nonce } });

function deferredResponse(): { readonly promise: Promise<Response>; readonly resolve: (response: Response) => void } {
  let resolve: (response: Response) => void = () => undefined;
  const promise = new Promise<Response>((settle) => (resolve = settle));
  return { promise, resolve };
}

describe("DPoP proofs", () => {
  it("name the method, the URL without query and fragment, the time and the hash of the token", async () => {
    const key = await DpopKey.generate();
    const before = Math.floor(Date.now() / 1_000);
    const payload = await verified(await key.proof("POST", url, "token-1"));
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("token-1"));
    expect(payload).toEqual({
      htm: "POST",
      htu: "https://mcp.example:8443/mcp/a%20b",
      ath: Buffer.from(digest).toString("base64url"),
      jti: expect.any(String) as string,
      iat: expect.any(Number) as number,
    });
    expect(payload.iat).toBeGreaterThanOrEqual(before);
    expect(payload.iat).toBeLessThanOrEqual(Date.now() / 1_000);
  });

  it("have no hash without a token, and a new id each time", async () => {
    const key = await DpopKey.generate();
    const proofs = await Promise.all([1, 2, 3].map(async () => verified(await key.proof("GET", url))));
    expect(new Set(proofs.map(({ jti }) => jti)).size).toBe(3);
    for (const proof of proofs) expect(proof).not.toHaveProperty("ath");
  });

  it("contain the public key only", async () => {
    const key = await DpopKey.generate();
    const { jwk, alg, typ } = decodeProtectedHeader(await key.proof("GET", url));
    const { d: _, ...publicJwk } = key.privateJwk;
    expect({ jwk, alg, typ }).toEqual({ jwk: publicJwk, alg: "ES256", typ: "dpop+jwt" });
  });

  it("contain the newest nonce of the origin", async () => {
    const key = await DpopKey.generate();
    expect(key.learnNonce(withNonce("n-1"), url)).toBe(true);
    expect(key.learnNonce(withNonce("n-2"), new URL("/other", url))).toBe(true);
    expect(key.learnNonce(new Response(), url)).toBe(false);
    expect(await verified(await key.proof("GET", url))).toMatchObject({ nonce: "n-2" });
    expect(await verified(await key.proof("GET", new URL("https://mcp.example/mcp")))).not.toHaveProperty("nonce");
  });

  it.each(["with space", 'quo"te', "", "x".repeat(2_000)])("contain no invalid nonce: %j", async (nonce) => {
    const key = await DpopKey.generate();
    expect(key.learnNonce(withNonce(nonce), url)).toBe(false);
    expect(await verified(await key.proof("GET", url))).not.toHaveProperty("nonce");
  });

  it("are signed with the same key after a restart", async () => {
    const key = await DpopKey.generate();
    const stored = JSON.parse(JSON.stringify(key.privateJwk)) as JWK;
    const [again, same] = await Promise.all([DpopKey.from(stored), DpopKey.from({ ...stored })]);
    expect(again).toBe(same);
    const { jwk } = decodeProtectedHeader(await again.proof("GET", url));
    expect(await calculateJwkThumbprint(jwk as JWK)).toBe(await calculateJwkThumbprint(key.privateJwk));
  });

  it.each<[string, () => Promise<JWK>]>([
    ["an RSA key", async () => exportJWK((await generateKeyPair("RS256", { extractable: true })).privateKey)],
    [
      "a key of another curve",
      async () => exportJWK((await generateKeyPair("ES384", { extractable: true })).privateKey),
    ],
    ["a public key", async () => exportJWK((await generateKeyPair("ES256")).publicKey)],
    ["a point that is not on the curve", async () => ({ ...(await DpopKey.generate()).privateJwk, x: "AAAA" })],
    ["nothing", () => Promise.resolve({})],
  ])("cannot be made with %s", async (_title, jwk) => {
    await expect(DpopKey.from(await jwk())).rejects.toMatchObject({ reason: "store-failed" });
  });

  it.each([
    [undefined, undefined],
    [["ES256"], true],
    [["RS256", "ES384"], false],
    [[], false],
  ])("are accepted by a server that announces %j: %j", (algorithms, accepted) => {
    const metadata = { issuer, ...(algorithms && { dpop_signing_alg_values_supported: algorithms }) };
    expect(acceptsDpopProofs(metadata)).toBe(accepted);
  });
});

describe("a token request with DPoP", () => {
  const signal = new AbortController().signal;

  async function endpoint(fake: FakeEndpoint, options: OAuthOptions = {}): Promise<TokenEndpoint> {
    const server = discovered({ token_endpoint: `${issuer}/token?x=1` });
    return new TokenEndpoint(server, { fetch: fake.fetch, ...options }, await DpopKey.generate(), undefined, signal);
  }

  it("has a proof, and returns a token that is stored with its key", async () => {
    const fake = new FakeEndpoint(tokenResponse({ token_type: "DPoP" }));
    const tokens = await endpoint(fake);
    const set = await tokens.request(publicClient, "client_credentials", {});
    expect(set).toMatchObject({ scheme: "DPoP", dpopKey: tokens.dpop?.privateJwk });
    expect(await verified(fake.last.headers.get("dpop") ?? "")).toMatchObject({ htm: "POST", htu: `${issuer}/token` });
  });

  it("is repeated once with the nonce that the server demands", async () => {
    const fake = new FakeEndpoint(() => withNonce("n-1", { status: 400 }), tokenResponse({ token_type: "DPoP" }));
    const tokens = await endpoint(fake);
    await tokens.request(publicClient, "client_credentials", {});
    const [first, second, ...others] = await Promise.all(
      fake.requests.map(({ headers }) => verified(headers.get("dpop") ?? "")),
    );
    expect(others).toEqual([]);
    expect(first).not.toHaveProperty("nonce");
    expect(second).toMatchObject({ nonce: "n-1" });
    expect(second?.jti).not.toBe(first?.jti);
  });

  it("is not repeated twice, and not without a new nonce", async () => {
    let count = 0;
    const greedy = new FakeEndpoint(() => withNonce(`n-${++count}`, { status: 400 }));
    await expect((await endpoint(greedy)).request(publicClient, "x", {})).rejects.toMatchObject({
      data: { reason: "token-refused", error: "use_dpop_nonce" },
    });
    expect(greedy.requests).toHaveLength(2);
    const silent = new FakeEndpoint(() => Response.json({ error: "use_dpop_nonce" }, { status: 400 }));
    await expect((await endpoint(silent)).request(publicClient, "x", {})).rejects.toThrow("use_dpop_nonce");
    expect(silent.requests).toHaveLength(1);
  });

  it("is repeated with a nonce that another request has learned in the meantime", async () => {
    const sent = [0, 1].map(() => deferredResponse());
    const [first, second] = sent;
    const fake = new FakeEndpoint(
      () => first?.promise ?? Response.error(),
      () => second?.promise ?? Response.error(),
      tokenResponse({ token_type: "DPoP" }),
    );
    const tokens = await endpoint(fake);
    const results = [tokens.request(publicClient, "x", {}), tokens.request(publicClient, "x", {})];
    await vi.waitFor(() => expect(fake.requests).toHaveLength(2));
    for (const { resolve } of sent) resolve(withNonce("n-1", { status: 400 }));
    await expect(Promise.all(results)).resolves.toHaveLength(2);
    expect(fake.requests).toHaveLength(4);
  });

  it("learns the nonce of a successful response", async () => {
    const fake = new FakeEndpoint(tokenResponse({ token_type: "DPoP" }, { headers: { "dpop-nonce": "next" } }));
    const tokens = await endpoint(fake);
    await tokens.request(publicClient, "x", {});
    await tokens.request(publicClient, "x", {});
    expect(await verified(fake.last.headers.get("dpop") ?? "")).toMatchObject({ nonce: "next" });
  });

  it("accepts a Bearer token only when the binding is optional", async () => {
    const fake = new FakeEndpoint(tokenResponse());
    const optional = await (await endpoint(fake)).request(publicClient, "x", {});
    expect(optional.scheme).toBe("Bearer");
    expect(optional).not.toHaveProperty("dpopKey");
    const demanding = await endpoint(fake, { dpop: true });
    await expect(demanding.request(publicClient, "x", {})).rejects.toMatchObject({ reason: "token-invalid" });
  });

  it("is not sent to a server that announces other algorithms only", async () => {
    const fake = new FakeEndpoint(tokenResponse());
    const server = discovered({ dpop_signing_alg_values_supported: ["RS256"] });
    const tokens = new TokenEndpoint(server, { fetch: fake.fetch }, await DpopKey.generate(), undefined, signal);
    await expect(tokens.request(publicClient, "x", {})).rejects.toMatchObject({ reason: "metadata-invalid" });
    expect(fake.requests).toEqual([]);
  });
});
