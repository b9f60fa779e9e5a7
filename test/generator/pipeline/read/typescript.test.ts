import { describe, expect, test } from "vitest";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import { declarations } from "./declarations.js";

const read = (text: string): unknown => declarations(readTypeScript(text, "schema.ts"));

const string = { kind: "primitive", name: "string" };
const number = { kind: "primitive", name: "number" };
const reference = (name: string): object => ({ kind: "reference", name });
const literal = (value: string | number | boolean): object => ({ kind: "literal", value });
const member = (name: string, type: object, more: object = {}): object => ({ name, optional: false, type, ...more });

describe("reads a type as written", () => {
  test.each<[type: string, expected: object]>([
    ["string", string],
    ["number", number],
    ["boolean", { kind: "primitive", name: "boolean" }],
    ["unknown", { kind: "primitive", name: "unknown" }],
    ["any", { kind: "primitive", name: "any" }],
    ["object", { kind: "primitive", name: "object" }],
    ["null", { kind: "primitive", name: "null" }],
    ['"text"', literal("text")],
    ["'it\\'s'", literal("it's")],
    ["`plain`", literal("plain")],
    ["42", literal(42)],
    ["-1.5", literal(-1.5)],
    ["1e-7", literal(1e-7)],
    ["1e21", literal(1e21)],
    ["0x1f", literal(31)],
    ["true", literal(true)],
    ["false", literal(false)],
    ["B", reference("B")],
    ["typeof VERSION", { kind: "constant", name: "VERSION" }],
    ["string[]", { kind: "array", items: string }],
    ["Array<string>", { kind: "array", items: string }],
    ["B[][]", { kind: "array", items: { kind: "array", items: reference("B") } }],
    ["Record<string, number>", { kind: "record", values: number }],
    ['Omit<B, "x">', { kind: "omit", name: "B", keys: ["x"] }],
    ['Omit<B, "x" | "y">', { kind: "omit", name: "B", keys: ["x", "y"] }],
    ["never", { kind: "primitive", name: "never" }],
    ["ReadonlyArray<string>", { kind: "array", items: string }],
    ["readonly string[]", { kind: "array", items: string }],
    ["Readonly<B>", reference("B")],
    ["B<C, string>", { kind: "reference", name: "B", arguments: [reference("C"), string] }],
    ["Record<B, number>", { kind: "record", keys: reference("B"), values: number }],
    ['Record<"a", number | undefined>', { kind: "record", keys: literal("a"), values: number, isOptional: true }],
    ["Record<string, number | undefined>", { kind: "record", values: number }],
    ["Partial<B>", { kind: "utility", name: "Partial", of: reference("B") }],
    ["Required<B>", { kind: "utility", name: "Required", of: reference("B") }],
    ['Pick<B, "x">', { kind: "utility", name: "Pick", of: reference("B"), keys: literal("x") }],
    ["Omit<B, C>", { kind: "utility", name: "Omit", of: reference("B"), keys: reference("C") }],
    ['B["x"]', { kind: "indexed", of: reference("B"), key: literal("x") }],
    ["keyof B", { kind: "keyof", of: reference("B") }],
    ["`a${string}`", { kind: "template", texts: ["a", ""] }],
    ["`a${1}b${string}${string}`", { kind: "template", texts: ["a1b", ""] }],
    ['`${"a"}b`', literal("ab")],
    ["`${string}${string}`", string],
    ["{ a: string | undefined }", { kind: "object", members: [member("a", string, { optional: true })] }],
    [
      "{ a?: (undefined | string | null) }",
      {
        kind: "object",
        members: [
          member("a", { kind: "union", members: [string, { kind: "primitive", name: "null" }] }, { optional: true }),
        ],
      },
    ],
    [
      "{ a: undefined }",
      { kind: "object", members: [member("a", { kind: "primitive", name: "never" }, { optional: true })] },
    ],
    ["{ [key: string]: number | undefined }", { kind: "object", members: [], index: number }],
    ["(string)", string],
    [
      "(string | null)[]",
      { kind: "array", items: { kind: "union", members: [string, { kind: "primitive", name: "null" }] } },
    ],
    ["B | string", { kind: "union", members: [reference("B"), string] }],
    ['| "a" | "b"', { kind: "union", members: [literal("a"), literal("b")] }],
    ['"a" | string', { kind: "union", members: [literal("a"), string] }],
    ["B & C", { kind: "intersection", members: [reference("B"), reference("C")] }],
    [
      "B & { a: string }",
      { kind: "intersection", members: [reference("B"), { kind: "object", members: [member("a", string)] }] },
    ],
    ["{}", { kind: "object", members: [] }],
    [
      "{ a: string; b?: number }",
      { kind: "object", members: [member("a", string), member("b", number, { optional: true })] },
    ],
    ["{ [key: string]: unknown }", { kind: "object", members: [], index: { kind: "primitive", name: "unknown" } }],
    ["{ a: string; [key: string]: string }", { kind: "object", members: [member("a", string)], index: string }],
  ])("%s", (type, expected) =>
    expect(read(`type A = ${type};`)).toEqual([{ kind: "alias", name: "A", type: expected }]),
  );
});

describe("reads a constant with its value", () => {
  test.each<[statement: string, value: string | number]>([
    ['export const X = "2.0";', "2.0"],
    ["export const X = -32700;", -32700],
    ["export const X = 1_000;", 1000],
    ["export const X = `plain`;", "plain"],
    ['export const X = "a" as const;', "a"],
    ["export declare const X: -1;", -1],
    ['export declare const X: "a";', "a"],
    ['export declare const X = "a";', "a"],
    ["export declare const X = -1;", -1],
    ['declare const X = "a";', "a"],
  ])("%s", (statement, value) => expect(read(statement)).toEqual([{ kind: "constant", name: "X", value }]));

  test("marks a constant with a declared type, which `typeof` refers to", () =>
    expect(read("export const X: number = 5;")).toEqual([{ kind: "constant", name: "X", value: 5, isWidened: true }]));

  test("several constants in one statement", () => {
    expect(read('export const A = 1, B = "b";')).toEqual([
      { kind: "constant", name: "A", value: 1 },
      { kind: "constant", name: "B", value: "b" },
    ]);
  });
});

describe("reads an interface with", () => {
  test.each<[what: string, text: string, expected: object]>([
    ["no members", "export interface A {}", { heritage: [], members: [] }],
    ["a base", "interface A extends B {}", { heritage: [{ name: "B", omit: [] }], members: [] }],
    [
      "several bases, some with members left out",
      'interface A extends B, Omit<C, "x" | "y"> {}',
      {
        heritage: [
          { name: "B", omit: [] },
          { name: "C", omit: ["x", "y"] },
        ],
        members: [],
      },
    ],
    [
      "an index signature",
      "interface A { [key: string]: unknown }",
      { heritage: [], members: [], index: { kind: "primitive", name: "unknown" } },
    ],
    [
      "an optional member",
      "interface A { a?: string }",
      { heritage: [], members: [member("a", string, { optional: true })] },
    ],
    ["a readonly member", "interface A { readonly a: string }", { heritage: [], members: [member("a", string)] }],
    [
      "quoted and numeric member names",
      `interface A { "io.x/y": string; 'a b': string; 1: string; "__proto__": string }`,
      {
        heritage: [],
        members: [member("io.x/y", string), member("a b", string), member("1", string), member("__proto__", string)],
      },
    ],
    [
      "members without semicolons",
      "interface A {\n  a: string\n  b: number\n}",
      { heritage: [], members: [member("a", string), member("b", number)] },
    ],
  ])("%s", (_, text, expected) => expect(read(text)).toEqual([{ kind: "interface", name: "A", ...expected }]));
});

describe("reads a tag that is a fact", () => {
  test.each<[comment: string, expected: object]>([
    ["@format uri", { tags: { format: "uri" } }],
    ["@TJS-type integer", { tags: { jsonType: "integer" } }],
    ["@minimum 0", { tags: { minimum: 0 } }],
    ["@minimum -1.5", { tags: { minimum: -1.5 } }],
    ["@maximum 1", { tags: { maximum: 1 } }],
    ["@minItems 1", { tags: { minItems: 1 } }],
    ["@maxItems 100", { tags: { maxItems: 100 } }],
    ["@exclusiveMinimum 0.5", { tags: { exclusiveMinimum: 0.5 } }],
    ["@exclusiveMaximum -2", { tags: { exclusiveMaximum: -2 } }],
    ["@multipleOf 0.25", { tags: { multipleOf: 0.25 } }],
    ["@minLength 1\n * @maxLength 64", { tags: { minLength: 1, maxLength: 64 } }],
    ["@pattern ^[a-z]+( [a-z]+)?$", { tags: { pattern: "^[a-z]+( [a-z]+)?$" } }],
    ["@uniqueItems", { tags: { uniqueItems: true } }],
    ["@nullable", { tags: { nullable: true } }],
    ["@internal", { tags: { internal: true } }],
    ["@deprecated", { tags: { deprecated: "" } }],
    ["@deprecated Use `b`.", { tags: { deprecated: "Use `b`." } }],
    ["Text.\n * @minimum 0\n * @maximum 1", { text: "Text.", tags: { minimum: 0, maximum: 1 } }],
    [
      "Text.\n *\n * @deprecated Use\n * `b`.\n *\n * Now.\n * @internal",
      { text: "Text.", tags: { deprecated: "Use\n`b`.\n\nNow.", internal: true } },
    ],
    ["Text.\n * @category Tools\n * @example\n * not text", { text: "Text." }],
  ])("/** %s */", (comment, expected) => {
    expect(read(`interface A {\n /** ${comment} */\n a: string\n}`)).toEqual([
      { kind: "interface", name: "A", heritage: [], members: [member("a", string, expected)] },
    ]);
  });

  test("reads tags on interfaces, aliases and constants too", () => {
    expect(
      read("/** I. @x */ interface I {}\n/** @internal */ type T = string;\n/** @internal */ export const C = 1;"),
    ).toEqual([
      { kind: "interface", name: "I", text: "I. @x", heritage: [], members: [] },
      { kind: "alias", name: "T", tags: { internal: true }, type: string },
      { kind: "constant", name: "C", tags: { internal: true }, value: 1 },
    ]);
  });
});

describe("the text of a comment", () => {
  test.each<[what: string, source: string, text: string | undefined]>([
    ["one line", "/** Text. */ type A = string;", "Text."],
    [
      "several lines and paragraphs",
      "/**\n * One\n * two.\n *\n *\n * Three.\n */\ntype A = string;",
      "One\ntwo.\n\nThree.",
    ],
    ["a list", "/**\n * - a\n *   b\n */\ntype A = string;", "- a\n  b"],
    ["a plain block comment", "/* Text. */\ntype A = string;", "Text."],
    [
      "links",
      "/** See {@link Foo}, {@link Foo | the foo} and {@link https://x.y/z here}. */ type A = string;",
      "See `Foo`, the foo and here.",
    ],
    ["a line comment in between", "/** Text. */\n// not text\ntype A = string;", "Text."],
    ["a line comment only", "// not text\ntype A = string;", undefined],
    ["a file header above a blank line", "/** Header. */\n\ntype A = string;", undefined],
    ["a file header and a comment", "/** Header. */\n\n/** Text. */\ntype A = string;", "Text."],
    ["two comments: the nearer one", "/** Far. */\n/** Near. */\ntype A = string;", "Near."],
    ["a comment after the declaration", "type A = string; /* behind */", undefined],
    ["empty comments", "/**/ /***/ type A = string;", undefined],
    ["CRLF line ends", "/**\r\n * One\r\n * two.\r\n */\r\ntype A = string;\r\n", "One\ntwo."],
    ["a file header above a blank line, with CRLF", "/** Header. */\r\n\r\ntype A = string;\r\n", undefined],
    ["an attempt to end the comment", "/** a *\\/ b */ type A = string;", "a *\\/ b"],
  ])("%s", (_, source, text) =>
    expect(read(source)).toEqual([{ kind: "alias", name: "A", ...(text !== undefined && { text }), type: string }]),
  );
});

describe("positions count from 1", () => {
  test.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
  ])("with %s", (_, end) => {
    const text = [
      "/** A. */",
      "export interface A extends B {",
      "  a: C;",
      "}",
      "export type T =",
      "  | D",
      "  | typeof E;",
      "export const E = 1;",
    ].join(end);
    const [a, t, e] = readTypeScript(text, "dir/schema.ts").declarations;
    const at = (line: number, column: number): object => ({ file: "dir/schema.ts", line, column });
    expect(a).toMatchObject({
      span: at(2, 18),
      heritage: [{ span: at(2, 28) }],
      members: [{ span: at(3, 3), type: { span: at(3, 6) } }],
    });
    expect(t).toMatchObject({ span: at(5, 13), type: { members: [{ span: at(6, 5) }, { span: at(7, 5) }] } });
    expect(e).toMatchObject({ span: at(8, 14) });
  });

  test("does not count a byte order mark as a column", () => {
    expect(readTypeScript("\uFEFFtype A = string;", "s.ts").declarations[0]?.span).toEqual({
      file: "s.ts",
      line: 1,
      column: 6,
    });
  });
});

describe("reads a declaration as written", () => {
  const parameter = (name: string): object => ({ kind: "parameter", name });

  test.each<[text: string, expected: object]>([
    [
      "interface A<T, U = T> extends B<T> { t: T; u?: U[] }",
      {
        kind: "interface",
        name: "A",
        parameters: [{ name: "T" }, { name: "U", defaultType: parameter("T") }],
        heritage: [{ name: "B<T>", omit: [], type: { kind: "reference", name: "B", arguments: [parameter("T")] } }],
        members: [
          member("t", parameter("T")),
          member("u", { kind: "array", items: parameter("U") }, { optional: true }),
        ],
      },
    ],
    [
      "type A<T extends object> = T | B;",
      {
        kind: "alias",
        name: "A",
        parameters: [{ name: "T" }],
        type: { kind: "union", members: [parameter("T"), reference("B")] },
      },
    ],
    [
      'interface A extends Partial<B>, Pick<C, "x">, Omit<D, "y">, Readonly<E> {}',
      {
        kind: "interface",
        name: "A",
        heritage: [
          { name: "Partial<B>", omit: [], type: { kind: "utility", name: "Partial", of: reference("B") } },
          {
            name: 'Pick<C, "x">',
            omit: [],
            type: { kind: "utility", name: "Pick", of: reference("C"), keys: literal("x") },
          },
          { name: "D", omit: ["y"] },
          { name: "E", omit: [] },
        ],
        members: [],
      },
    ],
    [
      "declare enum A { B = 'b', C = -1, D }",
      {
        kind: "alias",
        name: "A",
        type: { kind: "union", members: [literal("b"), literal(-1), literal(0)] },
      },
    ],
    [
      "export const enum A { B, C }",
      { kind: "alias", name: "A", type: { kind: "union", members: [literal(0), literal(1)] } },
    ],
    [
      'declare const A: B["method"];',
      { kind: "derived-constant", name: "A", type: { kind: "indexed", of: reference("B"), key: literal("method") } },
    ],
    ["declare const A: B;", { kind: "derived-constant", name: "A", type: reference("B") }],
    [
      "/** @description A text. */\ninterface A {}",
      { kind: "interface", name: "A", text: "A text.", heritage: [], members: [] },
    ],
  ])("%s", (text, expected) => expect(read(text)).toEqual([expected]));
});

test.each<[type: string, tag: string, expected: object]>([
  ["number", "@format int", { type: { kind: "primitive", name: "integer" } }],
  [
    "number | null",
    "@format int",
    {
      type: {
        kind: "union",
        members: [
          { kind: "primitive", name: "integer" },
          { kind: "primitive", name: "null" },
        ],
      },
    },
  ],
  ["number[]", "@format int", { type: { kind: "array", items: { kind: "primitive", name: "integer" } } }],
  ["string", "@format int", { type: string, tags: { format: "int" } }],
  ["number", "@format float", { type: number, tags: { format: "float" } }],
])("a %s with %s", (type, tag, expected) => {
  expect(read(`/** ${tag} */ type A = ${type};`)).toEqual([{ kind: "alias", name: "A", ...expected }]);
  expect(read(`interface A {\n/** ${tag} */\na: ${type} }`)).toMatchObject([{ members: [{ name: "a", ...expected }] }]);
});

describe("reads the names that a file takes from others", () => {
  test.each<[text: string, expected: object[]]>([
    [
      'import type { A, B as C } from "b";',
      [
        { name: "A", local: "A" },
        { name: "B", local: "C" },
      ],
    ],
    [
      'import { type A, B } from "b";',
      [
        { name: "A", local: "A" },
        { name: "B", local: "B" },
      ],
    ],
    ['import {} from "b";', []],
    [
      'export type { A, B as C } from "b";',
      [
        { name: "A", local: "A", reexported: true },
        { name: "B", local: "C", reexported: true },
      ],
    ],
    ['export { type A } from "b";', [{ name: "A", local: "A", reexported: true }]],
    ['export * from "b";', [{ name: "*", local: "*", reexported: true }]],
    ['export type * from "b";', [{ name: "*", local: "*", reexported: true }]],
    ["interface A {} export { A };", []],
    ["interface A {} export type { A };", []],
  ])("%s", (text, expected) => {
    const { imports = [] } = readTypeScript(text, "s.ts");
    expect(imports.map(({ span: _span, ...rest }) => rest)).toEqual(
      expected.map((named) => ({ ...named, specifier: "b" })),
    );
  });

  test("with the position of each", () => {
    const { imports } = readTypeScript('import type {\n  A,\n  B as C,\n} from "b";\nexport * from "d";', "dir/s.ts");
    expect(imports?.map(({ local, span }) => `${local} ${span.file}:${span.line}:${span.column}`)).toEqual([
      "A dir/s.ts:2:3",
      "C dir/s.ts:3:3",
      "* dir/s.ts:5:1",
    ]);
  });
});

test("keeps the order of the file, and ignores `export {}`", () => {
  expect(readTypeScript("type B = A;\nexport interface A {}\nconst C = 1;\nexport {};\n", "s.ts")).toMatchObject({
    syntax: "typescript",
    file: "s.ts",
    declarations: [{ name: "B" }, { name: "A" }, { name: "C" }],
  });
});

test("an empty file has no declarations", () => expect(read("")).toEqual([]));
