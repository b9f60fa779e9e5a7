import { describe, expect, test } from "vitest";
import { becomes, errorsOf } from "./flat.js";

const types =
  'interface B extends C { b: { c: 1 }; n: number } interface C { method: "m" } type D = C & { d: "d" }; const V = 2; interface E { v: typeof V }';

test.each<[type: string, expected: string]>([
  ['B["method"]', '"m"'],
  ['B["b"]["c"]', "1"],
  ['D["d"]', '"d"'],
  ['D["method"]', '"m"'],
  ['E["v"]', "2"],
  ["F", '"f"'],
])("a constant of type %s has its value", (type, expected) => {
  expect(becomes(`declare const X: ${type}; type F = "f"; interface A { x: typeof X } ${types}`)).toBe(
    `{ x: ${expected} }`,
  );
});

describe("rejects a constant whose type is not one value", () => {
  test.each(['B["n"]', 'B["x"]', "B", "G", 'G["x"]', "H"])("%s", (type) => {
    expect(errorsOf(`declare const X: ${type}; type G = "f" | "g"; type H = H; ${types}`)).toContain(
      `s.ts:1:15 unsupported-construct: a constant of type ${type}, which is not one string or number, is not part of the schema grammar`,
    );
  });
});
