import { describe, expect, test } from "vitest";
import { flatten } from "../../../../generator/pipeline/passes/flatten.js";
import { DiagnosticCollector } from "../../../../generator/pipeline/passes/diagnostic-collector.js";
import { resolveReferences } from "../../../../generator/pipeline/passes/scope.js";
import { readJsonSchema } from "../../../../generator/pipeline/read/json-schema.js";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import { becomes, flat } from "./flat.js";

describe("inheritance", () => {
  test.each<[what: string, text: string, expected: string]>([
    ["puts inherited members first", "interface A extends B { a: 1 } interface B { b: 2 }", "{ B#b: 2; a: 1 }"],
    [
      "names the type that declares a member",
      "interface A extends B {} interface B extends C {} interface C { c: 1 }",
      "{ C#c: 1 }",
    ],
    [
      "takes bases in order",
      "interface A extends C, B {} interface B { b: 1 } interface C { c: 1 }",
      "{ C#c: 1; B#b: 1 }",
    ],
    [
      "lets a member be redeclared in place",
      "interface A extends B { b: 2 } interface B { b: number; c: 1 }",
      "{ b: 2; B#c: 1 }",
    ],
    [
      "lets a member become required",
      "interface A extends B { b: number } interface B { b?: number }",
      "{ b: number }",
    ],
    [
      "joins the arms of a diamond",
      "interface A extends B, C {} interface B extends D {} interface C extends D {} interface D { d: 1 }",
      "{ D#d: 1 }",
    ],
    [
      "joins equal members of unrelated bases",
      "interface A extends B, C {} interface B { x: string } interface C { x: string }",
      "{ B#x: string }",
    ],
    [
      "accepts a conflict that is redeclared",
      "interface A extends B, C { x: 1 } interface B { x: string } interface C { x: number }",
      "{ x: 1 }",
    ],
    ["leaves out members", 'interface A extends Omit<B, "x" | "z"> {} interface B { x: 1; y: 2 }', "{ B#y: 2 }"],
    [
      "avoids a conflict with Omit",
      'interface A extends B, Omit<C, "x"> {} interface B { x: 1 } interface C { x: 2; y: 3 }',
      "{ B#x: 1; C#y: 3 }",
    ],
    [
      "takes over the index signature",
      "interface A extends B { a: 1 } interface B { [key: string]: unknown }",
      "{ a: 1; [key]: unknown }",
    ],
    [
      "lets the index signature be redeclared",
      "interface A extends B { [key: string]: string } interface B { [key: string]: unknown }",
      "{ [key]: string }",
    ],
    [
      "keeps the index signature under Omit",
      'interface A extends Omit<B, "b"> {} interface B { b: 1; [key: string]: unknown }',
      "{ [key]: unknown }",
    ],
    [
      "works through aliases of objects",
      "interface A extends B, C {} type B = { b: 1 }; type C = Record<string, string>;",
      "{ B#b: 1; [key]: string }",
    ],
    [
      "works through intersections",
      "interface A extends B {} type B = C & { b: 1 }; interface C { c: 1 }",
      "{ C#c: 1; B#b: 1 }",
    ],
  ])("%s", (_, text, expected) => expect(becomes(text)).toBe(expected));

  test.each<[what: string, text: string, expected: string]>([
    [
      "of two bases",
      "interface A extends B, C {}\ninterface B { x: string }\ninterface C { x: number }",
      "s.ts:1:11 member-conflict: x of A has one type in B and another in C",
    ],
    [
      "in optionality only",
      "interface A extends B, C {}\ninterface B { x: string }\ninterface C { x?: string }",
      "s.ts:1:11 member-conflict: x of A has one type in B and another in C",
    ],
    [
      "of a base that is not an object type",
      'interface A extends B {}\ntype B = C["c"];\ninterface C { c: string }',
      "s.ts:2:6 operand-not-object: a base or an operand in B is not an object type",
    ],
    [
      "of index signatures",
      "interface A extends B, C {}\ninterface B { [key: string]: string }\ninterface C { [key: string]: number }",
      "s.ts:1:11 member-conflict: [key: string] of A has one type in one base and another in another one",
    ],
    [
      "that `Omit` would hide, because it drops all listed members of a type with an index signature",
      'interface A extends Omit<B, "b"> {}\ninterface B { b: 1; c: 2; [key: string]: unknown }',
      "s.ts:1:21 unsupported-construct: Omit of a type with an index signature is not part of the schema grammar",
    ],
  ])("rejects a conflict %s", (_, text, expected) =>
    expect(flat(readTypeScript(text, "s.ts")).errors).toEqual([expected]),
  );
});

describe("intersections", () => {
  test.each<[what: string, text: string, expected: string]>([
    ["join members", "type A = B & { a: 1 }; interface B { b: 2 }", "{ B#b: 2; a: 1 }"],
    ["narrow to a literal", 'type A = B & { b: "x" }; interface B { b: string }', '{ b: "x" }'],
    ["narrow to a literal, in either order", 'type A = { b: "x" } & B; interface B { b: string }', '{ b: "x" }'],
    ["narrow a number", "type A = { b: number } & C; type C = { b: 1 };", "{ b: 1 }"],
    ["narrow unknown to anything", "type A = B & { b: string[] }; interface B { b: unknown }", "{ b: string[] }"],
    ["narrow string to an enumeration", 'type A = B & { b: "x" | "y" }; interface B { b: string }', '{ b: "x" | "y" }'],
    ["narrow object to members", "type A = B & { b: { c: 1 } }; interface B { b: object }", "{ b: { c: 1 } }"],
    [
      "require the members that either side requires",
      "type A = { a?: 1; b?: 1; c: 1 } & { a: 1; b?: 1; c?: 1 };",
      "{ a: 1; b?: 1; c: 1 }",
    ],
    [
      "keep an index signature",
      "type A = B & Record<string, unknown>; interface B { b: 1 }",
      "{ B#b: 1; [key]: unknown }",
    ],
    ["can be the type of a member", "interface A { a: B & { c: 1 } } interface B { b: 1 }", "{ a: { B#b: 1; c: 1 } }"],
    ["can leave out members", 'type A = Omit<B, "x"> & { a: 1 }; interface B { x: 1; y: 2 }', "{ y: 2; a: 1 }"],
    ["narrow an alias", 'type A = { a: B } & { a: "x" }; type B = "x" | "y" | string;', '{ a: "x" }'],
    [
      "narrow an alias to some of its values",
      'type A = { a: B } & { a: C }; type B = "x" | "y" | "z"; type C = "z" | "y" | "w";',
      '{ a: "y" | "z" }',
    ],
    ["keep the name of the narrower type", "type A = { a: B } & { a: string }; type B = 'x' | 'y';", "{ a: B }"],
    [
      "keep the name of an object beside any object",
      "type A = { a?: { [key: string]: any } } & { a: B }; interface B { b: 1 }",
      "{ a: B }",
    ],
    [
      "keep the name of a union of objects beside any object",
      "type A = { a: object } & { a: B }; type B = C | D; interface C { c: 1 } interface D { d: 1 }",
      "{ a: B }",
    ],
    [
      "join the members of members",
      "type A = { a: B } & { a: { c: 2 } }; interface B { b: 1 }",
      "{ a: { b: 1; c: 2 } }",
    ],
    ["narrow items", "type A = { a: string[] } & { a: ('x' | 'y')[] };", '{ a: ("x" | "y")[] }'],
    ["narrow a union of scalars", "type A = { a: string | number } & { a: 1 | true };", "{ a: 1 }"],
    [
      "check a member that refers to the type itself part by part",
      "type A = B & { b?: A }; interface B { b?: { c: 1 } }",
      "allOf(B, { b?: A })",
    ],
    ["keep a member of its own type", "type A = { a?: A & { b: 1 }; b: 1 };", "{ a?: allOf(A, { b: 1 }); b: 1 }"],
    [
      "apply an index signature to the members of the other side",
      'type A = { a: string; b?: "x" | "z" } & { [key: string]: "x" | "y" };',
      '{ a: "x" | "y"; b?: "x"; [key]: "x" | "y" }',
    ],
    ["forbid an optional member that no value fits", "type A = { a?: 1 } & { a?: 2 };", "{ a?: never }"],
    [
      "leave out the combinations that require a member without a value",
      "type A = ({ a: 1 } | { b: 1 }) & ({ a: 1; b?: never } | { b: 1; a?: never });",
      "{ a: 1; b?: never } | { b: 1; a?: never }",
    ],
    [
      "of a literal and an intersection that no one type has are checked part by part",
      'type A = B & "x-y"; type B = C & D; type C = `x${string}`; type D = `${string}y`;',
      'allOf(B, "x-y")',
    ],
    [
      "check an interface that contains itself part by part",
      "interface A { a?: A & { b: 1 } }",
      "{ a?: allOf(A, { b: 1 }) }",
    ],
    [
      "check an interface that contains itself through another one part by part",
      'interface A { a?: Omit<B, "x"> } interface B { b?: A & { c: 1 }; x: 1 }',
      "{ a?: { b?: allOf(A, { c: 1 }) } }",
    ],
    ["treat `string & {}` as any string", 'type A = "x" | (string & {});', '"x" | ...'],
  ])("%s", (_, text, expected) => expect(becomes(text)).toBe(expected));

  test.each<[what: string, text: string, expected: string]>([
    [
      "members that exclude each other",
      "type A = { a: string } & { a: number };",
      "s.ts:1:6 member-conflict: a of A has one type in one side of an intersection and another in the other",
    ],
    [
      "two literals",
      "type A = { a: 1 } & { a: 2 };",
      "s.ts:1:6 member-conflict: a of A has one type in one side of an intersection and another in the other",
    ],
    [
      "a literal and another type",
      "type A = { a: B } & { a: 1.5 };\ntype B = string;",
      "s.ts:1:6 member-conflict: a of A has one type in one side of an intersection and another in the other",
    ],
    [
      "index signatures that differ",
      "type A = Record<string, 1> & Record<string, 2>;",
      "s.ts:1:6 member-conflict: [key: string] of A has one type in one side of an intersection and another in the other",
    ],
    [
      "a required member that the index signature of the other side excludes",
      "type A = { a: string } & { [key: string]: number };",
      "s.ts:1:6 member-conflict: a of A has one type in one side of an intersection and another in the other",
    ],
    [
      "scalars: once",
      "type A = string & number;",
      "s.ts:1:6 intersection-empty: no value has all types of an intersection in A",
    ],
    [
      "an object and a scalar",
      "interface A { a: B & string }\ninterface B {}",
      "s.ts:1:11 intersection-empty: no value has all types of an intersection in A",
    ],
    [
      "unions without a common value",
      "type A = { a: 1; b: 1 } & ({ a: 2 } | { a: 3 });",
      "s.ts:1:6 member-conflict: a of A has one type in one side of an intersection and another in the other",
    ],
    [
      "an alias that is extended too: once",
      "type A = B & string;\ninterface B {}\ninterface C extends A {}",
      "s.ts:1:6 intersection-empty: no value has all types of an intersection in A",
    ],
  ])("refuse %s", (_, text, expected) => expect(flat(readTypeScript(text, "s.ts")).errors).toEqual([expected]));
});

describe("intersections with unions have an alternative for each combination", () => {
  const union = 'type U = B | C; interface B { kind: "b"; b: 1 } interface C { kind: "c"; c?: 1 }';

  test.each<[what: string, text: string, expected: string]>([
    [
      "of an object and a named union",
      `type A = { a: 1 } & U & { d: 1 }; ${union}`,
      '{ a: 1; B#kind: "b"; B#b: 1; d: 1 } | { a: 1; C#kind: "c"; C#c?: 1; d: 1 }',
    ],
    [
      "of two unions",
      "type A = ({ a: 1 } | { b: 1 }) & ({ c: 1 } | { d: 1 });",
      "{ a: 1; c: 1 } | { a: 1; d: 1 } | { b: 1; c: 1 } | { b: 1; d: 1 }",
    ],
    ["without those that no value has", `type A = U & { kind: "c" }; ${union}`, '{ kind: "c"; C#c?: 1 }'],
    ["without null beside an object", "type A = (B | null) & { a: 1 }; interface B { b: 1 }", "{ B#b: 1; a: 1 }"],
    [
      "with an index signature",
      `type A = U & { [key: string]: unknown }; ${union}`,
      '{ B#kind: "b"; B#b: 1; [key]: unknown } | { C#kind: "c"; C#c?: 1; [key]: unknown }',
    ],
    [
      "in a member",
      `interface A { u: U & { a: 1 } } ${union}`,
      '{ u: { B#kind: "b"; B#b: 1; a: 1 } | { C#kind: "c"; C#c?: 1; a: 1 } }',
    ],
  ])("%s", (_, text, expected) => expect(becomes(text)).toBe(expected));

  test("and are checked part by part when there are more than 256", () => {
    const wide = (name: string): string =>
      `type ${name} = ${Array.from({ length: 17 }, (_, at) => `{ ${name}: ${at} }`).join(" | ")};`;
    expect(becomes(`type A = B & C; ${wide("B")} ${wide("C")}`)).toBe("allOf(B, C)");
  });
});

describe("rejects an operator that needs the members of the type around it", () => {
  test.each<[what: string, text: string, expected: string]>([
    [
      "directly",
      'interface A { a?: Omit<A, "b">; b: 1 }',
      "s.ts:1:11 cyclic-operand: an operator such as Omit needs the members of A to read A: A -> A",
    ],
    [
      "through another type",
      'interface A { a?: Omit<B, "x"> }\ninterface B { b?: Partial<A> }',
      "s.ts:1:11 cyclic-operand: an operator such as Omit needs the members of A to read A: A -> B -> A",
    ],
  ])("%s", (_, text, expected) => expect(flat(readTypeScript(text, "s.ts")).errors).toEqual([expected]));
});

describe("Omit of a type", () => {
  test.each<[text: string, expected: string]>([
    ['type A = Omit<B, "x">; interface B { x: 1; y?: 2 }', "{ y?: 2 }"],
    ['type A = Omit<B, "x">; interface B { x: 1 }', "object"],
    ['type A = Omit<B, "z">; interface B extends C { x: 1 } interface C { y: 2 }', "{ C#y: 2; x: 1 }"],
    ['interface A { a: Omit<B, "x">[] } interface B { x: 1; [key: string]: unknown }', "{ a: { [key]: unknown }[] }"],
  ])("%s", (text, expected) => expect(becomes(text)).toBe(expected));
});

describe("a union", () => {
  test.each<[type: string, expected: string]>([
    ['"a" | "b"', '"a" | "b"'],
    ['"a" | "b" | string', '"a" | "b" | ...'],
    ['string | "a"', '"a" | ...'],
    ['"a" | "a"', '"a"'],
    ["1 | 2", "1 | 2"],
    ["string | string", "string"],
    ["string | null", "string | null"],
    ["null | string", "string | null"],
    ['"a" | null', '"a" | null'],
    ['"a" | 1 | "b"', '"a" | "b" | 1'],
    ["B | (C | (B | D))", "B | C | D"],
    ["B | B", "B"],
    ["B | null", "B | null"],
    ["B | unknown", "unknown"],
    ["string | any", "unknown"],
    ["{ a: 1 } | { a: 1 }", "{ a: 1 }"],
    ["(string | number)[]", "(string | number)[]"],
    ["typeof X | typeof Y", '"x" | 1'],
  ])("%s", (type, expected) => {
    expect(becomes(`type A = ${type}; interface B {} interface C {} interface D {} const X = "x"; const Y = 1;`)).toBe(
      expected,
    );
  });
});

describe("a type", () => {
  test.each<[type: string, expected: string]>([
    ["any", "unknown"],
    ["object", "object"],
    ["{}", "object"],
    ["Record<string, unknown>", "{ [key]: unknown }"],
    ["{ [key: string]: unknown }", "{ [key]: unknown }"],
    ["typeof X", '"x"'],
    ["B", "B"],
    ["Array<B>", "B[]"],
  ])("%s", (type, expected) => expect(becomes(`type A = ${type}; interface B {} const X = "x";`)).toBe(expected));
});

describe("tags bound", () => {
  test.each<[tags: string, type: string, expected: string]>([
    ["@minimum 0", "number", "number(0..)"],
    ["@minimum 0\n * @maximum 1", "number", "number(0..1)"],
    ["@maximum 1", "number | null", "number(..1) | null"],
    ["@minimum 1", "string", "string"],
    ["@format uri", "string", "string(uri)"],
    ["@format uri", "string | null", "string(uri) | null"],
    ["@format uri", "number", "number"],
    ["@format uri", '"a" | string', '"a" | ...'],
    ["@format byte", "string[]", "string(byte)[]"],
    ["@minItems 1", "string[]", "string[1..]"],
    ["@minItems 1\n * @maxItems 2", "string[][]", "string[][1..2]"],
    ["@maxItems 100", "string[] | null", "string[..100] | null"],
    ["@minimum 1", "{ b: number }", "{ b: number }"],
    ["@minimum 1", "Record<string, number>", "{ [key]: number }"],
  ])("%s on %s", (tags, type, expected) => {
    expect(becomes(`/**\n * ${tags}\n */\ntype A = ${type};`)).toBe(expected);
    expect(becomes(`interface A {\n /**\n * ${tags}\n */\n a: ${type} }`)).toBe(`{ a: ${expected} }`);
  });
});

describe("JSON Schema", () => {
  test.each<[what: string, schema: object, expected: string]>([
    [
      "bounds each alternative separately",
      { anyOf: [{ type: "integer", minimum: 1 }, { type: "string", format: "uri" }, { type: "null" }] },
      "string(uri) | integer(1..) | null",
    ],
    [
      "bounds items separately from their array",
      { type: "array", maxItems: 2, items: { type: "array", minItems: 1, items: { type: "integer", minimum: 0 } } },
      "integer(0..)[1..][..2]",
    ],
    [
      "bounds map values",
      { type: "object", additionalProperties: { type: ["integer", "null"], maximum: 9 } },
      "{ [key]: integer(..9) | null }",
    ],
    [
      "joins allOf",
      {
        allOf: [
          { type: "object", properties: { a: { type: "string" } } },
          { type: "object", properties: { a: { const: "x" } }, required: ["a"] },
        ],
      },
      '{ a: "x" }',
    ],
  ])("%s", (_, schema, expected) => {
    const { shown, errors } = flat(readJsonSchema(JSON.stringify({ definitions: { A: schema } }), "s.json"));
    expect(errors).toEqual([]);
    expect(shown["A"]).toBe(expected);
  });
});

test("a union of five thousand values is read at once, each value once", { timeout: 5_000 }, () => {
  const values = Array.from({ length: 5_000 }, (_, at) => at);
  const { shown } = flat(readTypeScript(`type A = ${[...values, 7].join(" | ")};`, "s.ts"));
  expect(shown["A"]).toBe(values.join(" | "));
});

test("constants are not definitions, and the order is that of the file", () => {
  const { shown } = flat(readTypeScript("type B = 1; const C = 1; interface A {}", "s.ts"));
  expect(Object.keys(shown)).toEqual(["B", "A"]);
});

test("an alias of an object is a structure without bases; an interface lists its bases", () => {
  const collector = new DiagnosticCollector(true);
  const definitions = flatten(
    resolveReferences(
      readTypeScript("interface A extends C, Omit<D, 'x'> {} type B = { b: 1 }; interface C {} interface D {}", "s.ts"),
      collector,
    ),
    collector,
  );
  expect(definitions.slice(0, 2)).toMatchObject([
    { kind: "struct", name: "A", bases: ["C", "D"] },
    { kind: "struct", name: "B", bases: [] },
  ]);
});
