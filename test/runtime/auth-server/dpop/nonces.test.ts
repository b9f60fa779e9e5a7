import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DpopNonceOptions } from "../../../../runtime/src/auth-server/dpop/dpop-options.js";
import { DpopProofs } from "../../../../runtime/src/auth-server/dpop/dpop-proofs.js";
import { InvalidTokenError } from "../../../../runtime/src/auth-server/token-errors.js";
import { createProofs, ProofMaker, resource } from "./proof-maker.js";

const start = 1_800_000_000_000;
const secret = "a secret of at least 32 characters";

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: start }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const later = (seconds: number): void => void vi.setSystemTime(start + seconds * 1_000);

async function setUp(nonces: boolean | DpopNonceOptions = true) {
  const maker = await ProofMaker.create();
  const proofs = createProofs({ nonces });
  const send = async (nonce?: string): Promise<void> => proofs.verify(await maker.proof({ nonce }), maker.request());
  return { maker, proofs, send };
}

describe("nonces", () => {
  it("are not demanded by default", async () => {
    const { proofs, send } = await setUp(false);
    expect(proofs.nonce()).toBeUndefined();
    await expect(send()).resolves.toBeUndefined();
    await expect(send("of another server")).resolves.toBeUndefined();
  });

  it("have the characters that a header may contain", async () => {
    const { proofs } = await setUp();
    expect(await proofs.nonce()).toMatch(/^[\w-]{24}$/);
  });

  it.each([
    ["without nonce", undefined, "The DPoP proof has no nonce; repeat the request with that of the header DPoP-Nonce"],
    [
      "with the nonce of another server",
      "x",
      "The DPoP proof has an old nonce; repeat the request with that of the header DPoP-Nonce",
    ],
    [
      "with an empty nonce",
      "",
      "The DPoP proof has an old nonce; repeat the request with that of the header DPoP-Nonce",
    ],
    [
      "with a huge nonce",
      "x".repeat(1_500),
      "The DPoP proof has an old nonce; repeat the request with that of the header DPoP-Nonce",
    ],
  ])("are demanded of a proof %s", async (_title, nonce, message) => {
    const { send } = await setUp();
    const error: unknown = await send(nonce).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(InvalidTokenError);
    expect(error).toMatchObject({ name: "DpopNonceError", message });
  });

  it("are not demanded of a proof that is wrong", async () => {
    const { maker, proofs } = await setUp();
    await expect(proofs.verify(await maker.proof({ htm: "GET" }), maker.request())).rejects.toMatchObject({
      name: "InvalidTokenError",
    });
    await expect(proofs.verify(undefined, maker.request())).rejects.toMatchObject({ name: "InvalidTokenError" });
  });

  it("are accepted any number of times, in new proofs", async () => {
    const { proofs, send } = await setUp();
    const nonce = await proofs.nonce();
    for (let count = 0; count < 3; count++) await expect(send(nonce)).resolves.toBeUndefined();
  });

  it("are replaced after their lifetime, and accepted once more as long", async () => {
    const { proofs, send } = await setUp();
    const first = await proofs.nonce();
    later(299);
    expect(await proofs.nonce()).toBe(first);
    later(300);
    const second = await proofs.nonce();
    expect(second).not.toBe(first);
    await expect(send(first)).resolves.toBeUndefined();
    await expect(send(second)).resolves.toBeUndefined();
    later(599);
    await expect(send(first)).resolves.toBeUndefined();
    later(600);
    await expect(send(first)).rejects.toMatchObject({ name: "DpopNonceError" });
    await expect(send(second)).resolves.toBeUndefined();
  });

  it("are computed once in their lifetime", async () => {
    const { maker, proofs } = await setUp();
    const sign = vi.spyOn(crypto.subtle, "sign");
    for (let slot = 0; slot < 5; slot++) {
      later(slot * 300);
      const nonce = await proofs.nonce();
      expect(proofs.nonce()).toBe(nonce);
      sign.mockClear();
      await proofs.verify(await maker.proof({ nonce }), maker.request());
      // That of the proof.
      expect(sign).toHaveBeenCalledTimes(1);
    }
  });

  it("are found again after hours without requests", async () => {
    const { proofs, send } = await setUp();
    await send(await proofs.nonce());
    later(86_400);
    await expect(send(await proofs.nonce())).resolves.toBeUndefined();
  });

  it("have the lifetime of the options", async () => {
    const { proofs, send } = await setUp({ secret, lifetimeSeconds: 10 });
    const first = await proofs.nonce();
    later(19);
    await expect(send(first)).resolves.toBeUndefined();
    later(20);
    await expect(send(first)).rejects.toMatchObject({ name: "DpopNonceError" });
  });

  it("are accepted by all nodes with the same secret, also when the clock of one is behind", async () => {
    const [one, two, stranger] = await Promise.all([
      setUp({ secret }),
      setUp({ secret }),
      setUp({ secret: `${secret}!` }),
    ]);
    const nonce = await one.proofs.nonce();
    expect(await two.proofs.nonce()).toBe(nonce);
    later(-10);
    await expect(two.send(nonce)).resolves.toBeUndefined();
    later(-310);
    await expect(two.send(nonce)).rejects.toMatchObject({ name: "DpopNonceError" });
    await expect(stranger.send(nonce)).rejects.toMatchObject({ name: "DpopNonceError" });
  });

  it("of a process without secret are accepted by this resource only", async () => {
    const other = new DpopProofs({ nonces: true }, new URL("https://other.example/mcp"));
    const { proofs, send } = await setUp();
    expect(await createProofs({ nonces: true }).nonce()).toBe(await proofs.nonce());
    await expect(send(await other.nonce())).rejects.toMatchObject({ name: "DpopNonceError" });
    expect(await new DpopProofs({ nonces: { secret } }, resource).nonce()).not.toBe(await proofs.nonce());
  });
});
