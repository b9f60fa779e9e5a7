import { expect, test } from "vitest";
import { wordedRules } from "../../../../generator/commands/compare-schema/consequence.js";
import { lossyRules } from "../../../../generator/shared/fidelity/lossy-rules.js";
import { findingsOf, lines } from "./pair.js";

const string = { type: "string" };
const object = (properties: object = {}, ...required: string[]): object => ({ type: "object", properties, required });
const ref = (name: string): object => ({ $ref: `#/definitions/${name}` });

/** Rule, schema.ts, the definitions of schema.json, all findings. */
const table: readonly (readonly [rule: string, ts: string, definitions: object, findings: readonly string[]])[] = [
  ["(none)", "interface A { a: string; b?: boolean }", { A: object({ a: string, b: { type: "boolean" } }, "a") }, []],
  [
    "constant-inlined",
    'const V = "2"; interface A { v: typeof V }',
    { A: object({ v: { const: "2", type: "string" } }, "v") },
    ['A v [constant-inlined] typeof V => "2"', 'V [constant-dropped] const V = "2" => nothing'],
  ],
  ["constant-dropped", "const E = -32000;", {}, ["E [constant-dropped] const E = -32000 => nothing"]],
  [
    "extends-flattened",
    "interface A { a: string } interface B extends A { b?: string }",
    { A: object({ a: string }, "a"), B: object({ a: string, b: string }, "a") },
    ["B [extends-flattened] extends A => own copies of a"],
  ],
  [
    "extends-flattened",
    "interface A { [key: string]: unknown } interface B extends A { b?: string }",
    { A: { type: "object", additionalProperties: {} }, B: object({ b: string }) },
    [
      "B [extends-flattened] extends A => nothing to copy",
      "B [key] [extends-flattened] [key: string]: unknown => nothing",
    ],
  ],
  [
    "extends-flattened",
    "interface A { a: string; b?: boolean } interface B extends Partial<A> { own: string }",
    {
      A: object({ a: string, b: { type: "boolean" } }, "a"),
      B: object({ a: string, b: { type: "boolean" }, own: string }, "own"),
    },
    ["B [extends-flattened] extends Partial<A> => own copies of a, b"],
  ],
  [
    "extends-flattened",
    "interface A { a: string; b?: boolean } interface B extends Required<Omit<A, 'a'>>, Partial<Pick<A, 'a'>> { own?: string }",
    {
      A: object({ a: string, b: { type: "boolean" } }, "a"),
      B: object({ a: string, b: { type: "boolean" }, own: string }, "b"),
    },
    [`B [extends-flattened] extends Required<Omit<A, "a">>, Partial<Pick<A, "a">> => own copies of b, a`],
  ],
  [
    "extends-flattened",
    'interface A { a: string; b?: string } type AB = A & { c: string }; interface B extends Pick<AB, K | keyof Omit<A, "b">> { own?: string } type K = "c" | "b";',
    {
      A: object({ a: string, b: string }, "a"),
      AB: { allOf: [ref("A"), object({ c: string }, "c")] },
      B: object({ a: string, b: string, c: string, own: string }, "a", "c"),
      K: { type: "string", enum: ["c", "b"] },
    },
    [`B [extends-flattened] extends Pick<AB, K | keyof Omit<A, "b">> => own copies of a, b, c`],
  ],
  [
    "extends-flattened",
    'type A = { a: string }; interface B extends A, Record<"x" | "y", string> { own: string }',
    {
      A: object({ a: string }, "a"),
      B: object({ a: string, x: string, y: string, own: string }, "a", "x", "y", "own"),
    },
    [
      "A [alias-of-object-as-interface] type A = { a: string } => interface A { a: string }",
      'B [extends-flattened] extends A, Record<"x" | "y", string> => own copies of a, x, y',
    ],
  ],
  [
    "null-dropped",
    "interface A { a: string | null }",
    { A: object({ a: { anyOf: [string] } }, "a") },
    ["A a [null-dropped] string | null => string"],
  ],
  [
    "null-dropped",
    "interface A { a: boolean | null }",
    { A: object({ a: { type: "boolean" } }, "a") },
    ["A a [null-dropped] boolean | null => boolean"],
  ],
  [
    "number-as-integer",
    "interface A { list: { n?: number }[] }",
    { A: object({ list: { type: "array", items: object({ n: { type: "integer" } }) } }, "list") },
    ["A list[].n [number-as-integer] number => integer"],
  ],
  [
    "open-enum-as-string",
    'interface A { a: "x" | "y" | string }',
    { A: object({ a: string }, "a") },
    ['A a [open-enum-as-string] "x" | "y" | string => string'],
  ],
  [
    "string-alias-inlined",
    "type Cursor = string; interface A { a: Cursor }",
    { Cursor: string, A: object({ a: string }, "a") },
    ["A a [string-alias-inlined] Cursor => string"],
  ],
  ["any-as-unknown", "interface A { a: any }", { A: object({ a: {} }, "a") }, ["A a [any-as-unknown] any => unknown"]],
  [
    "record-opaque",
    "interface A { a: Record<string, unknown> }",
    { A: object({ a: { type: "object" } }, "a") },
    ["A a [record-opaque] Record<string, unknown> => {}"],
  ],
  [
    "alias-expanded-in-union",
    "type L = string[]; interface A { a: L | boolean }",
    {
      L: { type: "array", items: string },
      A: object({ a: { anyOf: [{ type: "array", items: string }, { type: "boolean" }] } }, "a"),
    },
    ["A a [alias-expanded-in-union] L | boolean => string[] | boolean"],
  ],
  [
    "alias-of-alias-resolved",
    "interface A { [key: string]: unknown } type B = A; type C = B;",
    { A: { type: "object", additionalProperties: {} }, B: ref("A"), C: ref("A") },
    ["C [alias-of-alias-resolved] B => A"],
  ],
  [
    "alias-of-closed-interface-copied",
    "interface A { a?: string } type B = A;",
    { A: object({ a: string }), B: object({ a: string }) },
    ["B [alias-of-closed-interface-copied] type B = A => interface B { a?: string }"],
  ],
  [
    "alias-of-object-as-interface",
    "type A = { a?: string };",
    { A: object({ a: string }) },
    ["A [alias-of-object-as-interface] type A = { a?: string } => interface A { a?: string }"],
  ],
  [
    "tags-dropped",
    "/** @deprecated gone */ interface A {\n/** @internal */ a?: string;\n/** @TJS-type number */ n?: number }",
    { A: object({ a: string, n: { type: "number" } }) },
    [
      "A [tags-dropped] @deprecated => nothing",
      "A a [tags-dropped] @internal => nothing",
      "A n [tags-dropped] @TJS-type number => nothing",
    ],
  ],
];

test.each(table)("%s: %s", (_rule, ts, definitions, expected) => {
  expect(lines(findingsOf(ts, definitions))).toEqual(expected);
});

test("every rule is in the table, and words what it means", () => {
  const rules = lossyRules.map(({ id }) => id).sort();
  expect([...new Set(table.map(([rule]) => rule))].filter((rule) => rule !== "(none)").sort()).toEqual(rules);
  expect([...wordedRules].sort()).toEqual(rules);
});

/** What no rule explains: schema.ts, definitions, all findings. */
const unexplained: readonly (readonly [name: string, ts: string, definitions: object, findings: readonly string[]])[] =
  [
    [
      "another type, though a rule touches it",
      "interface A { a: number }",
      { A: object({ a: string }, "a") },
      ["A a [unexplained] number => string"],
    ],
    ["a member more", "interface A {}", { A: object({ a: string }) }, ["A a [unexplained] nothing => a?: string"]],
    [
      "a member less, inherited",
      "interface A { a: number } interface B extends A { b?: string }",
      { A: object({ a: { type: "integer" } }, "a"), B: object({ b: string }) },
      [
        "A a [number-as-integer] number => integer",
        "B [extends-flattened] extends A => own copies of a",
        "B a [unexplained] a: number => nothing",
      ],
    ],
    [
      "not required",
      "interface A { a: string }",
      { A: object({ a: string }) },
      ["A a [unexplained] required => optional"],
    ],
    ["a type less", "interface A { a: number }", {}, ["A [unexplained] interface A { a: number } => nothing"]],
    ["a type more", "", { A: string }, ["A [unexplained] nothing => type A = string"]],
    ["another kind", "type A = boolean;", { A: object() }, ["A [unexplained] type A = boolean => interface A {}"]],
    [
      "a bound",
      "interface A {\n/** @minimum 1 */ a: string }",
      { A: object({ a: string }, "a") },
      ["A a [unexplained] @minimum 1 => nothing"],
    ],
    [
      "openness",
      "interface A { [key: string]: unknown }",
      { A: object() },
      ["A [key] [unexplained] [key: string]: unknown => nothing"],
    ],
    [
      "a member inside an alternative",
      "interface A { a: string | { b: boolean } }",
      { A: object({ a: { anyOf: [string, object({ b: string }, "b")] } }, "a") },
      ["A a.b [unexplained] boolean => string"],
    ],
  ];

test.each(unexplained)("unexplained: %s", (_name, ts, definitions, expected) => {
  expect(lines(findingsOf(ts, definitions))).toEqual(expected);
});

test("reports nothing where schema.json keeps what a rule would lose", () => {
  const ts = 'interface A { n: number; e: "x" | string; z: string | null;\n/** @deprecated */ d?: string }';
  const e = { anyOf: [{ enum: ["x"] }, string] };
  const z = { anyOf: [string, { type: "null" }] };
  const A = object({ n: { type: "number" }, e, z, d: { ...string, deprecated: true } }, "n", "e", "z");
  expect(findingsOf(ts, { A })).toEqual([]);
});

test("an integer that only the prose asks for is not legal", () => {
  const [ts, definitions] = ["type Id = string | number;", { Id: { type: ["string", "integer"] } }];
  const consequences = [new Set<string>(), new Set(["Id"])].map((integers) =>
    findingsOf(ts, definitions, { integers }).map(({ consequence }) => consequence),
  );
  expect(consequences).toEqual([
    ["0.5 is refused by schema.json although legal."],
    ["0.5 is refused by schema.json, and rightly: the specification's text asks for an integer."],
  ]);
});

test("corrections are named where they put a finding right, and explain missing common params", () => {
  const ts = 'interface Base { p?: { _meta?: string } } interface R { method: "r"; params: { n: number; m: number } }';
  const params = object({ n: { type: "integer" }, m: { type: "integer" } }, "n", "m");
  const definitions = {
    Base: object({ p: object({ _meta: string }) }),
    R: object({ method: { const: "r" }, params }, "method", "params"),
  };
  const from = "Base/properties/p/properties/_meta";
  const corrections = {
    "number-as-integer": ["R/properties/params/properties/n"],
    "common-params": { request: { from, to: ["R", "Gone"] } },
  };
  const found = findingsOf(ts, definitions, { integers: new Set(), corrections });
  expect(found.map(({ path, explanation, correction }) => [path, explanation.id, correction])).toEqual([
    ["params", "common-params", `common-params: ${from}`],
    ["params.m", "number-as-integer", undefined],
    ["params.n", "number-as-integer", "number-as-integer: R/properties/params/properties/n"],
  ]);
});

test("names that are not identifiers stay readable and inert", () => {
  const findings = findingsOf('interface A { "a b": { "\\u001b[31m": number } }', {
    A: object({ "a b": object({ "\u001b[31m": { type: "integer" } }, "\u001b[31m") }, "a b"),
  });
  expect(findings.map(({ path }) => path)).toEqual(['["a b"]["\\u001b[31m"]']);
});

test("a reference that leads nowhere is an error with its place", () => {
  expect(() => findingsOf("interface A { a: Gone }", {})).toThrow(/s\.ts:1:18: error\[unresolved-reference\]/);
});
