import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestIdMap } from "../../../runtime/src/collections/request-id-map.js";

interface Value {
  readonly of: unknown;
}

const id = fc.oneof(
  fc.nat(40),
  // Ids that would have the same slot.
  fc.nat(8).map((times) => times * 64),
  fc.integer({ min: 2 ** 31 - 2, max: 2 ** 33 }),
  fc.constantFrom(-1, -17, 0.5, 1.5, Number.MAX_SAFE_INTEGER, "", "1", "17", "a"),
);
const step = fc.record({ does: fc.constantFrom("set", "set", "delete"), id });

function expectSame(map: RequestIdMap<Value>, model: Map<string | number, Value>): void {
  expect(map.size).toBe(model.size);
  expect(new Set(map.values())).toEqual(new Set(model.values()));
  expect(map.values()).toHaveLength(model.size);
  for (const [known, value] of model) {
    expect(map.has(known)).toBe(true);
    expect(map.get(known)).toBe(value);
  }
}

describe("RequestIdMap", () => {
  it("does what a Map does", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const map = new RequestIdMap<Value>();
        const model = new Map<string | number, Value>();
        for (const { does, id } of steps) {
          const value = { of: id };
          if (does === "set") {
            map.set(id, value);
            model.set(id, value);
          } else {
            map.delete(id);
            model.delete(id);
            expect(map.get(id)).toBeUndefined();
          }
        }
        expectSame(map, model);
        map.clear();
        expectSame(map, new Map());
      }),
    );
  });

  it("keeps many requests, and some that wait for long beside all later ones", () => {
    const map = new RequestIdMap<Value>();
    const model = new Map<string | number, Value>();
    for (let next = 0; next < 20_000; next++) {
      const value = { of: next };
      map.set(next, value);
      model.set(next, value);
      const oldest = next - 300;
      if (oldest % 1_000 === 0) continue;
      map.delete(oldest);
      model.delete(oldest);
    }
    expectSame(map, model);
    for (const known of model.keys()) map.delete(known);
    expectSame(map, new Map());
  });

  it("finds nothing for ids that no request has", () => {
    const map = new RequestIdMap<Value>();
    for (const known of [0, 1, 2]) map.set(known, { of: known });
    for (const other of ["1", undefined, null, NaN, {}, [1], true]) {
      expect(map.get(other as number)).toBeUndefined();
      map.delete(other as number);
    }
    expect(map.size).toBe(3);
  });
});
