import { afterEach, describe, expect, it, vi } from "vitest";
import { sha256 } from "../../auth/dpop-checks.js";
import { createProofs, encode, ProofMaker } from "./proof-maker.js";

afterEach(() => vi.restoreAllMocks());

const spyOnWebCrypto = () => ({
  importKey: vi.spyOn(crypto.subtle, "importKey"),
  digest: vi.spyOn(crypto.subtle, "digest"),
  verify: vi.spyOn(crypto.subtle, "verify"),
});

describe("repeated proofs of a client", () => {
  it("cost one signature check each, and nothing else of WebCrypto", async () => {
    const maker = await ProofMaker.create();
    const proofs = createProofs({ nonces: true });
    const nonce = await proofs.nonce();
    const all = await Promise.all(Array.from({ length: 11 }, () => maker.proof({ nonce })));
    const [first, ...others] = all;
    await proofs.verify(first, maker.request());
    const { importKey, digest, verify } = spyOnWebCrypto();
    const sign = vi.spyOn(crypto.subtle, "sign");
    for (const proof of others) await proofs.verify(proof, maker.request());
    expect(verify).toHaveBeenCalledTimes(10);
    for (const other of [importKey, digest, sign]) expect(other).not.toHaveBeenCalled();
  });

  it("import the key once, also when they arrive together", async () => {
    const maker = await ProofMaker.create();
    const proofs = createProofs();
    const all = await Promise.all(Array.from({ length: 10 }, () => maker.proof()));
    const { importKey, digest, verify } = spyOnWebCrypto();
    await Promise.all(all.map((proof) => proofs.verify(proof, maker.request())));
    expect(importKey).toHaveBeenCalledTimes(1);
    expect(digest).toHaveBeenCalledTimes(2);
    expect(verify).toHaveBeenCalledTimes(10);
  });

  it("need no signature check when something else is wrong", async () => {
    const maker = await ProofMaker.create();
    const proofs = createProofs({ nonces: true });
    const { verify } = spyOnWebCrypto();
    for (const claims of [{ htm: "GET" }, { htu: "https://evil.example" }, { ath: "x" }, { iat: 0 }, { nonce: "x" }])
      await expect(proofs.verify(await maker.proof(claims), maker.request())).rejects.toThrow("The DPoP proof");
    expect(verify).not.toHaveBeenCalled();
  });
});

describe("a cached key", () => {
  it("never accepts the signature of another key, in either order", async () => {
    const [one, two] = await Promise.all([ProofMaker.create(), ProofMaker.create()]);
    const proofs = createProofs();
    // The attacker signs with the header of the other key.
    const forged = async (owner: ProofMaker, attacker: ProofMaker) =>
      attacker.sign(encode(JSON.stringify(owner.header())), encode(JSON.stringify(await owner.claims())));
    const mismatch = "its signature does not match";
    await expect(proofs.verify(await forged(one, two), one.request())).rejects.toThrow(mismatch);
    await proofs.verify(await one.proof(), one.request());
    await expect(proofs.verify(await forged(one, two), one.request())).rejects.toThrow(mismatch);
    await proofs.verify(await two.proof(), two.request());
    await expect(proofs.verify(await forged(two, one), two.request())).rejects.toThrow(mismatch);
    await expect(proofs.verify(await forged(one, two), one.request())).rejects.toThrow(mismatch);
    await expect(proofs.verify(await one.proof(), one.request())).resolves.toBeUndefined();
  });

  it("does not fit a token that is bound to another key", async () => {
    const [one, two] = await Promise.all([ProofMaker.create(), ProofMaker.create()]);
    const proofs = createProofs();
    await proofs.verify(await one.proof(), one.request());
    const wrong = one.request({ keyThumbprint: two.thumbprint });
    await expect(proofs.verify(await one.proof(), wrong)).rejects.toThrow("it was made with another key");
  });

  it("is not lost for its owner when another client uses its header at the same time", async () => {
    const [one, two] = await Promise.all([ProofMaker.create(), ProofMaker.create()]);
    const proofs = createProofs();
    const [first, second] = await Promise.all([one.proof(), one.proof()]);
    const results = await Promise.allSettled([
      proofs.verify(first, one.request({ keyThumbprint: two.thumbprint })),
      proofs.verify(second, one.request()),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  it("is not the one of another algorithm for the same key", async () => {
    const [pss, pkcs1] = await Promise.all([ProofMaker.create("PS256"), ProofMaker.create("RS256")]);
    const proofs = createProofs();
    await proofs.verify(await pss.proof(), pss.request());
    // A signature of PS256 below a header that says RS256.
    const header = encode(JSON.stringify(pss.header({ alg: "RS256" })));
    const confused = await pss.sign(header, encode(JSON.stringify(await pss.claims())));
    await expect(proofs.verify(confused, pss.request())).rejects.toThrow("its signature does not match");
    await expect(proofs.verify(await pkcs1.proof(), pkcs1.request())).resolves.toBeUndefined();
  });
});

describe("a cached hash", () => {
  it("belongs to one token", async () => {
    const maker = await ProofMaker.create();
    const proofs = createProofs();
    await proofs.verify(await maker.proof(), maker.request());
    const other = maker.request({ token: "token-2" });
    await expect(proofs.verify(await maker.proof(), other)).rejects.toThrow("its ath is not the hash");
    const ath = await sha256("token-2");
    await expect(proofs.verify(await maker.proof({ ath }), other)).resolves.toBeUndefined();
    await expect(proofs.verify(await maker.proof({ ath }), maker.request())).rejects.toThrow("its ath is not the hash");
  });
});
