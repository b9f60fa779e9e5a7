import { beforeAll, describe, expect, it } from "vitest";
import { DpopNonceError } from "../../../../runtime/src/auth-server/dpop/dpop-nonce-error.js";
import type { DpopProofs } from "../../../../runtime/src/auth-server/dpop/dpop-proofs.js";
import { InvalidTokenError } from "../../../../runtime/src/auth-server/token-errors.js";
import { type Random, randomFrom } from "../../../support/random-instances.js";
import { createProofs, encode, type Members, ProofMaker } from "./proof-maker.js";

const seeds = Array.from({ length: 8 }, (_, index) => `proof ${index}`);
const perSeed = 200;
const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
/** None of them is valid for any member. */
const hostile: readonly unknown[] = [
  null,
  true,
  "",
  [],
  {},
  -1,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  ["ES256"],
  { toString: "POST" },
  "x".repeat(300),
  "\u0000",
  "__proto__",
  "\ud800",
];

let maker: ProofMaker;
let other: ProofMaker;

beforeAll(async () => {
  [maker, other] = await Promise.all([ProofMaker.create(), ProofMaker.create()]);
});

const below = (random: Random, count: number): number => Math.floor(random() * count);
const pick = <Value>(random: Random, values: readonly Value[]): Value => values[below(random, values.length)] as Value;

/** Changes the text of a proof; the result differs from it. */
function changeText(proof: string, random: Random): string {
  const at = below(random, proof.length);
  const end = at + 1 + below(random, 20);
  const text = pick(random, [
    () => proof.slice(0, at) + pick(random, letters) + proof.slice(at + 1),
    () =>
      proof.slice(0, at) + pick(random, [...letters, ".", "=", "+", ",", " ", "\n", "é", "\u0000"]) + proof.slice(at),
    () => proof.slice(0, at) + proof.slice(end),
    () => proof.slice(0, at) + proof.slice(at, end).repeat(2) + proof.slice(end),
    () => proof.slice(at),
    () => proof.slice(0, at),
    () => proof.split(".").reverse().join("."),
    () =>
      proof
        .split(".")
        .with(below(random, 3), encode(JSON.stringify(pick(random, hostile))))
        .join("."),
    () => encode(crypto.getRandomValues(new Uint8Array(at))),
  ])();
  return text === proof ? `${proof}A` : text;
}

/** Replaces or removes a member. */
function changeMember(members: Members, names: readonly string[], random: Random): Members {
  return { ...members, [pick(random, names)]: pick(random, [undefined, ...hostile]) };
}

/** Signs a proof in which a member that must be there is wrong. */
async function changeContent(valid: Members, random: Random): Promise<string> {
  const header = maker.header();
  const { jwk } = header as { readonly jwk: Members };
  const changed = pick<readonly [Members, Members]>(random, [
    [header, changeMember(valid, ["htm", "htu", "iat", "ath"], random)],
    [header, { ...valid, jti: pick(random, [undefined, null, 1, "", [], {}, "x".repeat(257)]) }],
    [header, { ...valid, nonce: pick(random, [undefined, ...hostile]) }],
    [changeMember(header, ["typ", "alg", "jwk"], random), valid],
    [{ ...header, jwk: changeMember(jwk, ["kty", "crv", "x", "y"], random) }, valid],
    [{ ...header, jwk: { ...jwk, [pick(random, ["d", "k", "p", "q", "oth"])]: pick(random, hostile) } }, valid],
    [{ ...header, [pick(random, ["crit", "b64"])]: pick(random, hostile) }, valid],
    [{ ...header, jwk: other.publicJwk }, valid],
  ]);
  const [changedHeader, changedClaims] = changed.map((members) => encode(JSON.stringify(members)));
  return maker.sign(changedHeader ?? "", changedClaims ?? "");
}

async function expectRejection(proofs: DpopProofs, proof: string): Promise<void> {
  const error: unknown = await proofs.verify(proof, maker.request()).then(
    () => `accepted: ${proof}`,
    (reason: unknown) => reason,
  );
  if (error instanceof DpopNonceError || (error instanceof InvalidTokenError && error.reason === "proof")) return;
  expect.fail(`${String(error)} for ${proof}`);
}

describe("a proof that was changed at random", () => {
  it.each(seeds)("is rejected when it was signed before the change: %s", async (seed) => {
    const random = randomFrom(seed);
    const proofs = createProofs({ nonces: true });
    const proof = await maker.proof({ nonce: await proofs.nonce() });
    for (let count = 0; count < perSeed; count++) await expectRejection(proofs, changeText(proof, random));
    await expect(proofs.verify(proof, maker.request())).resolves.toBeUndefined();
  });

  it.each(seeds)("is rejected when it was signed after the change: %s", async (seed) => {
    const random = randomFrom(seed);
    const proofs = createProofs({ nonces: true });
    const valid = await maker.claims({ nonce: await proofs.nonce() });
    for (let count = 0; count < perSeed; count++) await expectRejection(proofs, await changeContent(valid, random));
    await expect(proofs.verify(await maker.proof(valid), maker.request())).resolves.toBeUndefined();
  });
});
