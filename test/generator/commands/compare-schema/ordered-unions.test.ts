import { expect, test } from "vitest";
import { findOrderedUnions } from "../../../../generator/commands/compare-schema/ordered-unions.js";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";

/** schema.ts, place, instances and who accepts them. */
const table: readonly (readonly [
  ts: string,
  found: readonly (readonly [string, ...(readonly [string, string][])])[],
])[] = [
  ['interface A { k: "a" } interface B { k: "b" } type U = A | B;', []],
  ["type U = string | number;", []],
  [
    "interface A { a?: string } interface B { b?: string } type U = A | B;",
    [["U", ["{}", "A,B"], ['{"a":""}', "A,B"]]],
  ],
  [
    "interface A { a: string } interface B { a: string; b: string } interface C { c?: string } type U = A | B | C;",
    [["U", ['{"a":""}', "A,C"], ['{"a":"","b":""}', "A,B,C"]]],
  ],
  [
    "interface A { x: { a: string[] } } interface B { x: { b: string[] } } interface H { h: { [key: string]: (A | B)[] } }",
    [["H h[key][]", ['{"x":{"a":[],"b":[]}}', "A,B"]]],
  ],
  [
    'interface A { k: "a" } interface B { k: "b"; j: "c" } interface C { j: "d" } type U = A | B | C;',
    [["U", ['{"k":"a","j":"d"}', "A,C"]]],
  ],
  [
    "interface A { u: B | C } interface B { b?: A } interface C { c?: A } interface D extends A { d?: string }",
    [["A u", ["{}", "B,C"], ['{"b":{"u":{}}}', "B,C"]]],
  ],
  ["interface A { next: A } interface B { next: B } type U = A | B;", [["U"]]],
];

test.each(table)("%s", (ts, expected) => {
  const found = findOrderedUnions(readTypeScript(ts, "s.ts")).map(({ type, path, evidence = [] }) => [
    path === "" ? type : `${type} ${path}`,
    ...evidence.map(({ instance, accepted }) => [JSON.stringify(instance), accepted.join()]),
  ]);
  expect(found).toEqual(expected);
});
