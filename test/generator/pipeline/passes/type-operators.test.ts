import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root, strictest, typecheck } from "../../../support/typecheck.js";
import { becomes, errorsOf, flatText } from "./flat.js";

const types = `
  interface B extends C { b: 1; o?: string }
  interface C { c: "x" | "y"; nested: { n: number; list: D[] } }
  interface D { d: boolean; "a-b"?: 1 }
  type K = "b" | "c";
  type U = D | { d: string };
  interface M { m: 1; [key: string]: unknown }
`;

describe("a type operator", () => {
  test.each<[type: string, expected: string]>([
    ['Record<"a" | "b", number>', "{ a: number; b: number }"],
    ["Record<K, D>", "{ b: D; c: D }"],
    ['Record<"a", number | undefined>', "{ a?: number }"],
    ["Partial<Record<K, 1>>", "{ b?: 1; c?: 1 }"],
    ['Record<"a" | string, 1>', "{ [key]: 1 }"],
    ["Record<string, never>", "{ [key]: never }"],
    ["Record<never, 1>", "object"],
    ["Record<1 | 2, string>", "{ 1: string; 2: string }"],
    ["Record<keyof D, string>", "{ d: string; a-b: string }"],
    ['Pick<B, "b" | "c">', '{ b: 1; C#c: "x" | "y" }'],
    ["Pick<B, K>", '{ b: 1; C#c: "x" | "y" }'],
    ['Pick<M, "m" | "other">', "{ m: 1; other: unknown }"],
    ["Omit<B, K>", "{ C#nested: { n: number; list: D[] }; o?: string }"],
    ["Omit<D & { e: 1 }, 'd'>", "{ D#a-b?: 1; e: 1 }"],
    ["Partial<D>", "{ d?: boolean; a-b?: 1 }"],
    ["Required<D>", "{ d: boolean; a-b: 1 }"],
    ["Partial<U>", "{ d?: boolean; a-b?: 1 } | { d?: string }"],
    ["Required<Pick<B, 'o'>>", "{ o: string }"],
    ["keyof B", '"c" | "nested" | "b" | "o"'],
    ["keyof M", "string"],
    ["keyof {}", "never"],
    ['B["b"]', "1"],
    ['B["c"]', '"x" | "y"'],
    ['B["nested"]["n"]', "number"],
    ['B["nested"]["list"][number]', "D"],
    ['B["b" | "c"]', '1 | "x" | "y"'],
    ["B[K]", '1 | "x" | "y"'],
    ["D[keyof D]", "boolean | 1"],
    ['M["other"]', "unknown"],
    ["M[string]", "unknown"],
    ['U["d"]', "string | boolean"],
    ["{ a: B['o'] }", "{ a?: string }"],
    ["`x/${string}`", "string<pattern ^x\\/, template x/,>"],
    ["`${string}.y`", "string<pattern \\.y$, template ,.y>"],
    ["`x${string}y`", "string<pattern ^x[\\s\\S]*y$, template x,y>"],
    ["`x${string}y${string}`", "string<pattern ^x[\\s\\S]*y, template x,y,>"],
    ["`${string}/${string}`", "string<pattern \\/, template ,/,>"],
    ["`${string}`", "string"],
    ["Record<`x-${string}`, number>", "entries(/^x-/: number)"],
    ["string | never", "string"],
    ["never", "never"],
    ["never[]", "never[]"],
  ])("%s", (type, expected) => expect(becomes(`type A = ${type}; ${types}`)).toBe(expected));

  test.each<[text: string, expected: string]>([
    ["interface A extends Partial<D> { e: 1 }", "{ d?: boolean; a-b?: 1; e: 1 }"],
    ['interface A extends Pick<B, "b"> {}', "{ b: 1 }"],
    ["interface A extends Record<string, unknown> { a: 1 }", "{ a: 1; [key]: unknown }"],
    ["interface A extends Record<K, 1> {}", "{ b: 1; c: 1 }"],
    ["interface A extends E { a: 1 } type E = D & { e: 1 };", "{ D#d: boolean; D#a-b?: 1; E#e: 1; a: 1 }"],
    ['interface A { a: string; same: A["a"]; list: A["same"][] }', "{ a: string; same: string; list: string[] }"],
    ['type A = { a: string; same: A["a"]; list: A["same"][] };', "{ a: string; same: string; list: string[] }"],
    ['type A = { b: 1; list: A["b" | "d"][] } & D;', "{ b: 1; list: (1 | boolean)[]; D#d: boolean; D#a-b?: 1 }"],
    ['interface A { z: E["y"] } interface E { y: B["o"] }', "{ z?: string }"],
    ['interface A { next?: A; value: Required<Pick<D, "d">> }', "{ next?: A; value: { d: boolean } }"],
  ])("%s", (text, expected) => expect(becomes(text + types)).toBe(expected));
});

test("members may be absent where TypeScript accepts undefined", () => {
  const members = [
    "B['o']",
    "B['b']",
    "B['o'] | null",
    "null | (B['b'] | D['a-b'])",
    "B['b'] | null",
    "B['b' | 'o'] | null",
    "Partial<D>['d'] | null",
    "Required<D>['a-b'] | null",
    "Absent",
    "Absent | null",
    "Present | null",
    "E['e']",
    "E['e'] | null",
    "E['f'] | null",
    "B['o'][] | null",
    "{ o: B['o'] } | null",
    "Record<K, B['o'] | null>['b']",
    "Record<K, B['b'] | null>['b'] | null",
  ];
  const text = `${types}
    type Absent = null | Other; type Other = B["o"]; type Present = B["nested"];
    interface E { e: Absent | null; f: Present | null }
    ${members.map((type, at) => `export interface A${at} { z: ${type} }`).join("\n")}`;
  const checks = members.map((_, at) => `export const z${at}: A${at}["z"] = undefined;`).join("\n");
  const { errors } = typecheck(
    [],
    { ...strictest, noUnusedLocals: false },
    { [join(root, "absent.ts")]: `${checks}\n${text}` },
  );
  const required = errors.map((error) => Number(/\((\d+)\): TS2322 /.exec(error)?.[1] ?? NaN) - 1);
  expect(required).toEqual([1, 4, 7, 10, 13, 14, 15, 17]);
  const shown = flatText(text);
  const isOptional = members.map((_, at) => shown[`A${at}`]?.startsWith("{ z?: "));
  expect(isOptional).toEqual(members.map((_, at) => !required.includes(at)));
});

describe("rejects", () => {
  test.each<[text: string, expected: string]>([
    [
      "type A = Record<number, 1>;",
      "s.ts:1:17 unsupported-construct: a Record with keys of type number is not part of the schema grammar",
    ],
    [
      "type A = Record<B, 1>; interface B {}",
      "s.ts:1:17 unsupported-construct: a Record with keys of type B is not part of the schema grammar",
    ],
    [
      "type A = Pick<B, string>; interface B {}",
      "s.ts:1:10 unsupported-construct: Pick with keys of type string is not part of the schema grammar",
    ],
    ['type A = Pick<B, "x">; interface B {}', "s.ts:1:10 member-unknown: B has no member x"],
    [
      'type A = Pick<B, "x">; type B = { x: 1 } | { y: 1 };',
      's.ts:1:10 unsupported-construct: Pick<B, "x">, whose operand is not an object type, is not part of the schema grammar',
    ],
    [
      "type A = Partial<string>;",
      "s.ts:1:10 unsupported-construct: Partial<string>, whose operand is not an object type, is not part of the schema grammar",
    ],
    [
      "type A = keyof string;",
      "s.ts:1:10 unsupported-construct: keyof string, whose operand is not an object type, is not part of the schema grammar",
    ],
    ['type A = B["x"]; interface B {}', "s.ts:1:10 member-unknown: B has no member x"],
    ['type A = B["x"]; type B = { x: 1 } | { y: 1 };', "s.ts:1:10 member-unknown: B has no member x"],
    [
      "type A = B[number]; interface B {}",
      "s.ts:1:10 unsupported-construct: the key number of an indexed access is not part of the schema grammar",
    ],
    ['type A = string["length"];', "s.ts:1:10 member-unknown: string has no member length"],
    [
      "type A = `a${string}b${string}c`;",
      "s.ts:1:10 unsupported-construct: a template literal type with more than one `${string}` in front of its last text is not part of the schema grammar",
    ],
    [
      "interface A extends Partial<B> {} type B = C | D; interface C { c: 1 } interface D { d: 1 }",
      "s.ts:1:21 unsupported-construct: the base Partial<B>, which is not an object type, is not part of the schema grammar",
    ],
    ["interface A extends Partial<A> {}", "s.ts:1:11 cyclic-extends: A extends itself: A -> A"],
    ['type A = A["a"];', "s.ts:1:6 cyclic-alias: A is an alias of itself: A -> A"],
    ["type A = keyof B; type B = Partial<B>;", "s.ts:1:24 cyclic-alias: B is an alias of itself: B -> B"],
  ])("%s", (text, expected) => expect(errorsOf(text)).toEqual([expected]));
});

test("rejects members that have each other's type", () => {
  expect(errorsOf('interface A { a: A["b"]; b: A["a"] }')).toEqual([
    "s.ts:1:18 cyclic-alias: A is an alias of itself: A.b -> A.a -> A.b",
    "s.ts:1:29 cyclic-alias: A is an alias of itself: A.a -> A.b -> A.a",
  ]);
});
