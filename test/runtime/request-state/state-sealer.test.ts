import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { StateSealer, type StateKey } from "../../../runtime/src/request-state/state-sealer.js";
import { SdkError } from "../../../runtime/src/jsonrpc/errors.js";

function stateKey(id: string, fill: number): StateKey {
  return { id, key: new Uint8Array(32).fill(fill) };
}

const old = stateKey("2026-01", 1);
const current = stateKey("2026-02", 2);
const payload = { round: 1, answers: { a: ["ä", "\ud800", 1.5, null] } };

test("a state contains the version and the key's id, but no plain text of the payload", async () => {
  const state = await new StateSealer([current]).seal({ secret: "secret" }, "alice");
  expect(state).toMatch(/^v1\.2026-02\.[A-Za-z0-9_-]+$/);
  expect(atob(state.slice(11).replaceAll("-", "+").replaceAll("_", "/"))).not.toContain("secret");
});

test("equal payloads have different states", async () => {
  const sealer = new StateSealer([current]);
  expect(await sealer.seal(payload, "")).not.toBe(await sealer.seal(payload, ""));
});

describe("a state and the keys that open it", () => {
  const rows: readonly [string, readonly StateKey[] | undefined, readonly StateKey[] | undefined, boolean][] = [
    ["this process, without keys", undefined, undefined, true],
    ["another host with the key", [current], [stateKey("2026-02", 2)], true],
    ["after a new key was put first", [old], [current, old], true],
    ["before a new key was put first", [current], [old, current], true],
    ["after the old key was removed", [old], [current], false],
    ["another key of the same id", [old], [stateKey("2026-01", 3)], false],
    ["the same key under another id", [old], [stateKey("2026-03", 1)], false],
    ["a process without keys", [old], undefined, false],
  ];
  test.each(rows)("%s", async (_, sealing, opening, opens) => {
    const state = await new StateSealer(sealing).seal(payload, "alice");
    expect(await new StateSealer(opening).open(state, "alice")).toEqual(
      opens ? JSON.parse(JSON.stringify(payload)) : undefined,
    );
  });

  test("the first key seals", async () => {
    expect(await new StateSealer([current, old]).seal({}, "")).toMatch(/^v1\.2026-02\./);
  });
});

describe("does not open an invalid state", async () => {
  const sealer = new StateSealer([current, old]);
  const state = await sealer.seal(payload, "alice");
  const other = await sealer.seal({ other: 1 }, "alice");
  const body = state.slice("v1.2026-02.".length);
  const half = Math.floor(body.length / 2);
  const rows: readonly [string, string][] = [
    ["nothing", ""],
    ["a word", "nonsense"],
    ["dots", "v1.."],
    ["a prefix alone", "v1.2026-02."],
    ["less than a nonce", "v1.2026-02.AAAA"],
    ["a nonce alone", `v1.2026-02.${"A".repeat(16)}`],
    ["something before it", `x${state}`],
    ["something after it", `${state}A`],
    ["a line end after it", `${state}\n`],
    ["another version", state.replace("v1", "v2")],
    ["another key", state.replace("2026-02", "2026-01")],
    ["an unknown key", state.replace("2026-02", "2026-09")],
    ["an inherited name as key", state.replace("2026-02", "constructor")],
    ["halves swapped", `v1.2026-02.${body.slice(half)}${body.slice(0, half)}`],
    ["halves of two states", state.slice(0, half) + other.slice(half)],
    ["padding", `${state}=`],
    ["plain base64", `v1.2026-02.${body.replaceAll("-", "+").replaceAll("_", "/")}+`],
    ["encoded twice", `v1.2026-02.${btoa(body).replaceAll("=", "")}`],
    ["a megabyte", `v1.2026-02.${"A".repeat(1_000_000)}`],
  ];
  test.each(rows)("%s", async (_, text) => expect(await sealer.open(text, "alice")).toBeUndefined());

  test.each(["", "Alice", "alice "])("bound to %j", async (associated) =>
    expect(await sealer.open(state, associated)).toBeUndefined(),
  );

  test("the boundary between state and associated data cannot be moved", async () => {
    const bound = await new StateSealer([stateKey("a", 1), stateKey("a2", 1)]).seal(payload, "x");
    expect(await new StateSealer([stateKey("a2", 1)]).open(bound.replace("v1.a.", "v1.a2."), "x")).toBeUndefined();
  });

  test("every change of one character", async () => {
    for (let at = 0; at < state.length; at++) {
      for (const character of ["A", "B", "b", "_", "-", ".", "9", " "]) {
        if (state[at] === character) continue;
        const changed = state.slice(0, at) + character + state.slice(at + 1);
        expect([changed, await sealer.open(changed, "alice")]).toEqual([changed, undefined]);
      }
    }
  });

  test("every length but its own", async () => {
    for (let length = 0; length < state.length; length++) {
      expect(await sealer.open(state.slice(0, length), "alice")).toBeUndefined();
    }
  });

  test("random strings", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        expect(await sealer.open(text, "alice")).toBeUndefined();
        expect(await sealer.open(`v1.2026-02.${text}`, "alice")).toBeUndefined();
      }),
    );
  });
});

test("opens any sealed payload", async () => {
  const sealer = new StateSealer([current]);
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), async (value, associated) => {
      const opened = await sealer.open(await sealer.seal(value, associated), associated);
      expect(JSON.stringify(opened)).toBe(JSON.stringify(JSON.parse(JSON.stringify(value))));
    }),
  );
});

describe("the limit", () => {
  const sealer = new StateSealer([current]);
  // 16,384 characters less the prefix, as bytes, less nonce, tag and the JSON around the text.
  const longest = Math.floor(((16_384 - 11) * 3) / 4) - 28 - '{"a":""}'.length;

  test("is 16,384 characters of state", async () => {
    const state = await sealer.seal({ a: "x".repeat(longest) }, "");
    expect(state.length).toBeLessThanOrEqual(16_384);
    expect(state.length).toBeGreaterThan(16_380);
    expect(await sealer.open(state, "")).toEqual({ a: "x".repeat(longest) });
  });

  test.each([longest + 1, 1_000_000])("is exceeded by %d characters", async (length) => {
    await expect(sealer.seal({ a: "x".repeat(length) }, "")).rejects.toMatchObject({
      name: "SdkError",
      code: "LIMIT_EXCEEDED",
    });
  });
});

describe("rejects invalid keys", () => {
  const rows: readonly [string, readonly StateKey[]][] = [
    ["none", []],
    ["31 bytes", [{ id: "a", key: new Uint8Array(31) }]],
    ["64 bytes", [{ id: "a", key: new Uint8Array(64) }]],
    ["a second one of 16 bytes", [current, { id: "a", key: new Uint8Array(16) }]],
    ["no id", [stateKey("", 1)]],
    ["an id with a dot", [stateKey("a.b", 1)]],
    ["an id that is not ASCII", [stateKey("ä", 1)]],
    ["a long id", [stateKey("a".repeat(33), 1)]],
    ["an id twice", [old, stateKey(old.id, 2)]],
  ];
  test.each(rows)("%s", (_, keys) => {
    expect(() => new StateSealer(keys)).toThrow(SdkError);
    expect(() => new StateSealer(keys)).toThrow(expect.objectContaining({ code: "INVALID_CONFIGURATION" }) as Error);
  });
});

test("imports a copy of a key once", async () => {
  const imports = vi.spyOn(crypto.subtle, "importKey");
  const key = new Uint8Array(32).fill(7);
  const sealer = new StateSealer([{ id: "a", key }]);
  key.fill(0);
  const states = await Promise.all([sealer.seal({}, ""), sealer.seal({}, "")]);
  for (const state of states) expect(await sealer.open(state, "")).toEqual({});
  expect(imports).toHaveBeenCalledTimes(1);
  imports.mockRestore();
  expect(await new StateSealer([stateKey("a", 7)]).open(states[0], "")).toEqual({});
});

test("does not request random numbers before they are needed", () => {
  const random = vi.spyOn(crypto, "getRandomValues");
  new StateSealer();
  expect(random).not.toHaveBeenCalled();
  random.mockRestore();
});
