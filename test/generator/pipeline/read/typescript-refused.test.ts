import { describe, expect, test } from "vitest";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import { problems } from "../../shared/diagnostics/problems.js";

const refused = (text: string): string[] => problems(() => readTypeScript(text, "s.ts"));

describe("rejects a construct outside the grammar at its position", () => {
  test.each<[text: string, place: string, construct: string]>([
    ["type A = B extends C ? D : E;", "1:10", "a conditional type"],
    ["type A = Promise<string>;", "1:10", "the generic type Promise"],
    ["type A = Array<string, number>;", "1:10", "the generic type Array"],
    ["type A = Record<string, string, string>;", "1:10", "the generic type Record"],
    ['interface A extends Omit<B, "x", "y"> {}', "1:21", "the generic type Omit"],
    ["interface A extends Omit<B> {}", "1:21", "the generic type Omit"],
    ["type A = Partial<B, C>;", "1:10", "the generic type Partial"],
    ["type A = Readonly<B, C>;", "1:10", "the generic type Readonly"],
    ["type A = Pick<B>;", "1:10", "the generic type Pick"],
    ["type A = Exclude<B, C>;", "1:10", "the generic type Exclude"],
    ["type A = B.C;", "1:10", "the qualified name B.C"],
    ["interface A extends B.C {}", "1:21", "the base B.C"],
    ["interface A extends Array<B> {}", "1:21", "a base of type B[]"],
    ["interface A<T> extends T {}", "1:24", "a base of type T"],
    ["enum A {}", "1:1", "an enum without members"],
    ["enum A { B = 1 + 1 }", "1:14", "a binary expression"],
    ['enum A { B = "b", C }', "1:19", "an enum member without a value of its own"],
    ["type A = `${number}`;", "1:10", "a template literal type with a placeholder other than `${string}`"],
    ["type A = `${B}/${string}`;", "1:10", "a template literal type with a placeholder other than `${string}`"],
    ["type A = B | undefined;", "1:14", "the type undefined"],
    ["type A = (string | undefined)[];", "1:20", "the type undefined"],
    ["type A = () => void;", "1:10", "a function type"],
    ["type A = new () => B;", "1:10", "a constructor type"],
    ["interface A { f(): void }", "1:15", "a method signature"],
    ["interface A { (): void }", "1:15", "a call signature"],
    ["interface A { new (): A }", "1:15", "a construct signature"],
    ["interface A { get a(): string }", "1:15", "a get accessor"],
    ["interface A { set a(x: string) }", "1:15", "a set accessor"],
    ["class A {}", "1:1", "a class declaration"],
    ["namespace A {}", "1:1", "a module declaration"],
    ['declare module "a" {}', "1:1", "a module declaration"],
    ['type A = import("b").C;', "1:10", "an import type"],
    ["export default A;", "1:1", "an export assignment"],
    ["function a() {}", "1:1", "a function declaration"],
    ["type A = [string, number];", "1:10", "a tuple type"],
    ["type A = unique symbol;", "1:10", "the type operator unique"],
    ["type A = { [K in B]: string };", "1:10", "a mapped type"],
    ["type A = symbol;", "1:10", "the type symbol"],
    ["type A = undefined;", "1:10", "the type undefined"],
    ["type A = void;", "1:10", "the type void"],
    ["type A = bigint;", "1:10", "the type bigint"],
    ["type A = 1n;", "1:10", "a big int literal"],
    ["type A = 1e400;", "1:10", "a number that is too large for JSON"],
    ["const A = -1e400;", "1:11", "a number that is too large for JSON"],
    ["type A = this;", "1:10", "a this type"],
    ["interface A { [b]: string }", "1:15", "a computed member name"],
    ["interface A { [Symbol.iterator]: string }", "1:15", "a computed member name"],
    ["interface A { #a: string }", "1:15", "a private member name"],
    ["interface A { a }", "1:15", "a member without a type"],
    ["interface A { [key: number]: string }", "1:15", "an index signature whose key is not `string`"],
    ["interface A { []: string }", "1:15", "an index signature whose key is not `string`"],
    ["interface A { [a: string, b: string]: string }", "1:15", "an index signature whose key is not `string`"],
    ["interface A { [a: string] }", "1:15", "an index signature without a type"],
    ["interface A { [a: string]: B; [b: string]: C }", "1:31", "a second index signature"],
    ["let a = 1;", "1:1", "a variable that is not `const`"],
    ["const a = true;", "1:11", "a boolean constant"],
    ["const a = +1;", "1:11", "a prefix unary expression"],
    ["const a = 1n;", "1:11", "a big int literal"],
    ["const a = b;", "1:11", "an identifier"],
    ["const a = {};", "1:11", "an object literal expression"],
    ["declare const a: string;", "1:18", "the type string"],
    ["declare const a: unique symbol;", "1:18", "the type operator unique"],
    ["interface A {\n  /** @minimum low */\n  a: number;\n}", "3:3", "the tag @minimum without a number"],
    ["/** @maxItems */\ntype A = string[];", "2:1", "the tag @maxItems without a non-negative integer"],
    ["/** @minLength 1.5 */\ntype A = string;", "2:1", "the tag @minLength without a non-negative integer"],
    ["/** @maxLength -1 */\ntype A = string;", "2:1", "the tag @maxLength without a non-negative integer"],
    ["/** @exclusiveMinimum */\ntype A = number;", "2:1", "the tag @exclusiveMinimum without a number"],
    ["/** @multipleOf 0 */\ntype A = number;", "2:1", "the tag @multipleOf without a number above 0"],
    ["/** @pattern */\ntype A = string;", "2:1", "the tag @pattern without a regular expression (with the flag u)"],
    ["/** @pattern [a */\ntype A = string;", "2:1", "the tag @pattern without a regular expression (with the flag u)"],
  ])("%s", (text, place, construct) => {
    expect(refused(text)).toEqual([
      `s.ts:${place} unsupported-construct: ${construct} is not part of the schema grammar`,
    ]);
  });

  test("at any position in a type", () => {
    const inside = [
      "B | X",
      "B & X",
      "X[]",
      "Array<X>",
      "Record<string, X>",
      "(X)",
      "{ a: X }",
      "{ [key: string]: X }",
      "Partial<X>",
      'Pick<B, "a" | X>',
      'Omit<X, "a">',
      "Record<X, B>",
      'X["a"]',
      "B[X]",
      "keyof X",
      "readonly X",
      "B<X>",
    ];
    const found = inside.map((type) => refused(`type A = ${type.replace("X", "unique symbol")};`).join());
    expect(found).toEqual(
      inside.map(
        (type) =>
          `s.ts:1:${10 + type.indexOf("X")} unsupported-construct: the type operator unique is not part of the schema grammar`,
      ),
    );
  });
});

describe("rejects an import or export without names at its position", () => {
  test.each<[text: string, place: string, construct: string]>([
    ['import A from "b";', "1:8", "a default import"],
    ['import type A from "b";', "1:13", "a default import"],
    ['import { default as A } from "b";', "1:10", "a default import"],
    ['import * as a from "b";', "1:13", "a namespace import"],
    ['import "b";', "1:1", "an import without names"],
    ['import A = require("b");', "1:1", "import … = …"],
    ["import A = B.C;", "1:1", "import … = …"],
    ["export { A as B };", "1:10", "an export under another name"],
    ['export * as a from "b";', "1:8", "a namespace export"],
    ['export { default as A } from "b";', "1:10", "a default export"],
    ['export { A as default } from "b";', "1:10", "a default export"],
  ])("%s", (text, place, construct) =>
    expect(refused(text)).toEqual([`s.ts:${place} import-unsupported: ${construct} is not part of the schema grammar`]),
  );
});

test("reports the problems of all statements together", () => {
  expect(refused("class A {}\ntype B = string;\ninterface C {\n  a: void;\n}\nlet d = 1;\n")).toEqual([
    "s.ts:1:1 unsupported-construct: a class declaration is not part of the schema grammar",
    "s.ts:4:6 unsupported-construct: the type void is not part of the schema grammar",
    "s.ts:6:1 unsupported-construct: a variable that is not `const` is not part of the schema grammar",
  ]);
});

describe("rejects a member that is declared twice", () => {
  test.each([
    [
      "in an interface",
      'interface A {\n  a: string;\n  "a"?: number;\n}',
      "s.ts:3:3 duplicate-member: member a is declared twice in A",
    ],
    ["in an inline type", "type A = { a: 1; a: 2 };", "s.ts:1:18 duplicate-member: member a is declared twice in A"],
  ])("%s", (_, text, expected) => expect(refused(text)).toEqual([expected]));
});

describe("a syntax error has a position", () => {
  test.each<[text: string, expected: string]>([
    ["interface A {\n  a: string;\n", "s.ts:3:1 syntax-error: syntax error: '}' expected."],
    ["type A = ;", "s.ts:1:10 syntax-error: syntax error: Type expected."],
    ["type A = string;\r\ntype B = ;", "s.ts:2:10 syntax-error: syntax error: Type expected."],
  ])("%s", (text, expected) => expect(refused(text)).toContain(expected));

  test("reports every syntax error", () => {
    expect(refused("type A = ;\ntype B = ;").map((found) => found.slice(0, found.indexOf(" ")))).toEqual([
      "s.ts:1:10",
      "s.ts:2:10",
    ]);
  });
});

describe("rejects endlessly nested code:", () => {
  const tooDeep = "unsupported-construct: code nested deeper than 200 levels is not part of the schema grammar";
  test.each<[what: string, text: string, expected: string]>([
    ["arrays", `type A = string${"[]".repeat(300)};`, `s.ts:1:10 ${tooDeep}`],
    ["objects", `type A = ${"{a:".repeat(300)}string${"}".repeat(300)};`, `s.ts:1:307 ${tooDeep}`],
    [
      "deeper than the parser supports",
      `type A = ${"(".repeat(50_000)}string${")".repeat(50_000)};`,
      "s.ts:1:1 syntax-error: syntax error: the code nests too deeply to be parsed",
    ],
  ])("%s", (_, text, expected) => expect(refused(text)).toEqual([expected]));
});
