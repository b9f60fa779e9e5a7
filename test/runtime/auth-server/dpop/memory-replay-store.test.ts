import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MemoryBackplane } from "../../../../runtime/src/backplane.js";
import { MemoryReplayStore } from "../../../../runtime/src/auth-server/dpop/memory-replay-store.js";
import { TokenVerificationError } from "../../../../runtime/src/auth-server/token-errors.js";
import { createProofs, ProofMaker } from "./proof-maker.js";

const start = 1_800_000_000_000;

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: start }));
afterEach(() => vi.useRealTimers());

const later = (seconds: number): void => void vi.setSystemTime(start + seconds * 1_000);

describe("a MemoryReplayStore", () => {
  it("accepts an id once, until it expires", () => {
    const store = new MemoryReplayStore();
    expect(store.add("a", start + 300_000)).toBe(true);
    expect(store.add("b", start + 300_000)).toBe(true);
    for (const seconds of [0, 1, 60, 299, 299.999]) {
      later(seconds);
      expect(store.add("a", start + 300_000)).toBe(false);
    }
  });

  it("recognises an id that is added with another expiry", () => {
    const store = new MemoryReplayStore();
    store.add("a", start + 300_000);
    expect(store.add("a", start + 500_000)).toBe(false);
    expect(store.add("a", start + 1_000)).toBe(false);
  });

  it("forgets expired ids within a minute, and only those", () => {
    const store = new MemoryReplayStore();
    for (let second = 0; second < 600; second++) {
      later(second);
      expect(store.add(String(second), start + (second + 300) * 1_000)).toBe(true);
      expect(store.size).toBeLessThanOrEqual(361);
    }
    for (let second = 300; second < 600; second++) expect(store.add(String(second), start)).toBe(false);
    later(2_000);
    expect(store.add("last", start + 2_001_000)).toBe(true);
    expect(store.size).toBe(1);
  });

  it("rejects new ids when it is full, remembers all others, and accepts new ones when they have expired", () => {
    const store = new MemoryReplayStore({ maxIds: 100 });
    for (let id = 0; id < 100; id++) expect(store.add(String(id), start + 60_000)).toBe(true);
    expect(() => store.add("100", start + 60_000)).toThrow(TokenVerificationError);
    expect(() => store.add("100", start + 60_000)).toThrow("the ids of 100 are remembered, and have not expired");
    for (let id = 0; id < 100; id++) expect(store.add(String(id), start + 60_000)).toBe(false);
    later(61);
    expect(() => store.add("100", start + 120_000)).not.toThrow();
    expect(store.size).toBe(1);
  });

  it("accepts a new id again that it rejected when it was full", () => {
    const store = new MemoryReplayStore({ maxIds: 1 });
    store.add("a", start + 1_000);
    expect(() => store.add("b", start + 600_000)).toThrow(TokenVerificationError);
    later(61);
    expect(store.add("b", start + 600_000)).toBe(true);
  });

  it("lets one client take a quarter of it only, and the others the rest", () => {
    const store = new MemoryReplayStore({ maxIds: 100 });
    const expiresAt = start + 60_000;
    for (let id = 0; id < 25; id++) expect(store.add(`eve.${id}`, expiresAt, "eve")).toBe(true);
    const message = "No further DPoP proof of this client is accepted now: the ids of 25 are remembered";
    expect(() => store.add("eve.25", expiresAt, "eve")).toThrow(message);
    expect(store.add("eve.0", expiresAt, "eve")).toBe(false);
    for (let id = 0; id < 25; id++) expect(store.add(`ada.${id}`, expiresAt, "ada")).toBe(true);
    later(61);
    expect(store.add("eve.25", start + 120_000, "eve")).toBe(true);
    for (let id = 0; id < 24; id++) expect(store.add(`eve.${id}`, start + 180_000, "eve")).toBe(true);
    expect(() => store.add("eve.26", start + 180_000, "eve")).toThrow(TokenVerificationError);
    later(121);
    expect(store.add("eve.26", start + 180_000, "eve")).toBe(true);
    expect(store.size).toBe(25);
  });

  it.each([0, -1, 1.5, Number.NaN])("gives no client a share of %d", (clientShare) => {
    expect(() => new MemoryReplayStore({ clientShare })).toThrow("clientShare must be more than 0 and at most 1");
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity])("cannot hold %d ids", (maxIds) => {
    expect(() => new MemoryReplayStore({ maxIds })).toThrow("maxIds must be an integer of 1 or more");
  });
});

describe("the id of a proof is remembered as long as the proof could be accepted", () => {
  it.each([
    ["made now", 0, 300],
    ["made by a clock that is ahead", 299, 599],
    ["made by a clock that is behind", -299, 1],
  ])("%s", async (_title, offset, validSeconds) => {
    const maker = await ProofMaker.create();
    const proofs = createProofs();
    const proof = await maker.proof({ iat: start / 1_000 + offset });
    await proofs.verify(proof, maker.request());
    for (const seconds of [0, validSeconds / 2, validSeconds]) {
      later(seconds);
      await expect(proofs.verify(proof, maker.request())).rejects.toThrow("its jti was used before");
    }
    later(validSeconds + 1);
    await expect(proofs.verify(proof, maker.request())).rejects.toThrow("its iat is more than 300 seconds ago");
  });

  it("in the store of the options, by key and id", async () => {
    const maker = await ProofMaker.create();
    const added: (readonly [string, number])[] = [];
    const replayStore = { add: (id: string, expiresAt: number) => Promise.resolve(added.push([id, expiresAt]) === 1) };
    const proofs = createProofs({ replayStore, maxAgeSeconds: 60 });
    const proof = await maker.proof({ jti: "one", iat: start / 1_000 });
    await proofs.verify(proof, maker.request());
    await expect(proofs.verify(proof, maker.request())).rejects.toThrow("its jti was used before");
    expect(added[0]).toEqual([`${maker.thumbprint}.one`, start + 60_001]);
  });
});

it("of several nodes with one backplane, one accepts a proof", async () => {
  const maker = await ProofMaker.create();
  const { replayStore } = new MemoryBackplane();
  const nodes = [createProofs({ replayStore }), createProofs({ replayStore })];
  const proof = await maker.proof();
  const outcomes = await Promise.allSettled(nodes.map((node) => node.verify(proof, maker.request())));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

describe("a proof cannot be verified", () => {
  it("while the store is full", async () => {
    const maker = await ProofMaker.create();
    const proofs = createProofs({ replayStore: new MemoryReplayStore({ maxIds: 1 }) });
    const [first, second] = await Promise.all([maker.proof(), maker.proof()]);
    await proofs.verify(first, maker.request());
    await expect(proofs.verify(second, maker.request())).rejects.toThrow(TokenVerificationError);
    await expect(proofs.verify(first, maker.request())).rejects.toThrow("its jti was used before");
  });

  it.each<[string, () => boolean | Promise<boolean>]>([
    ["rejects", () => Promise.reject(new Error("connection refused"))],
    [
      "throws",
      () => {
        throw new Error("connection refused");
      },
    ],
  ])("while the store %s", async (_title, add) => {
    const maker = await ProofMaker.create();
    const proofs = createProofs({ replayStore: { add } });
    await expect(proofs.verify(await maker.proof(), maker.request())).rejects.toMatchObject({
      name: "TokenVerificationError",
      message: "The DPoP proof cannot be verified now: its id cannot be stored",
      cause: { message: "connection refused" },
    });
  });

  it("when the store takes too long", async () => {
    const maker = await ProofMaker.create();
    const replayStore = { add: () => new Promise<boolean>(() => undefined) };
    const proofs = createProofs({ replayStore, replayTimeoutMs: 20 });
    await expect(proofs.verify(await maker.proof(), maker.request())).rejects.toMatchObject({
      name: "TokenVerificationError",
      message: "The DPoP proof cannot be verified now: its id was not stored within 20 ms",
    });
  });

  it("when the store does not return whether the id is new", async () => {
    const maker = await ProofMaker.create();
    const proofs = createProofs({ replayStore: { add: () => "OK" as unknown as boolean } });
    await expect(proofs.verify(await maker.proof(), maker.request())).rejects.toThrow(
      "dpop.replayStore: add must return whether the id is new, not string",
    );
  });

  it("with something that is not a store", () => {
    expect(() => createProofs({ replayStore: new Map() as unknown as MemoryReplayStore })).toThrow(
      "dpop.replayStore must be a ReplayStore with the method add; got Map",
    );
    expect(() => createProofs({ replayTimeoutMs: -1 })).toThrow("replayTimeoutMs must be 0 or more, not -1");
  });
});
