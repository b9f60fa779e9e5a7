import { describe, expect, test } from "vitest";
import { DiagnosticCollector } from "../../../../generator/pipeline/passes/diagnostic-collector.js";
import { resolveReferences } from "../../../../generator/pipeline/passes/scope.js";
import { readJsonSchema } from "../../../../generator/pipeline/read/json-schema.js";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import { line } from "../../shared/diagnostics/problems.js";

function errors(text: string): string[] {
  const collector = new DiagnosticCollector(true);
  resolveReferences(readTypeScript(text, "s.ts"), collector);
  return collector.errors.map(line);
}

describe("names", () => {
  test.each<[what: string, text: string, expected: string[]]>([
    [
      "two interfaces with the same name",
      "interface A {}\ninterface A {}",
      ["s.ts:2:11 duplicate-declaration: A is declared twice; the first declaration is at s.ts:1:11"],
    ],
    [
      "an interface and a constant with the same name",
      "interface A {}\nconst A = 1;",
      ["s.ts:2:7 duplicate-declaration: A is declared twice; the first declaration is at s.ts:1:11"],
    ],
    [
      "a type that is declared three times",
      "type A = 1;\ntype A = 2;\ntype A = 3;",
      [
        "s.ts:2:6 duplicate-declaration: A is declared twice; the first declaration is at s.ts:1:6",
        "s.ts:3:6 duplicate-declaration: A is declared twice; the first declaration is at s.ts:1:6",
      ],
    ],
    [
      "types that differ only in case",
      "interface Foo {}\ntype FOO = string;",
      ["s.ts:2:6 name-case-collision: FOO and Foo differ only in case"],
    ],
    ["a constant that differs from a type in case", "interface Foo {}\nconst FOO = 1;", []],
    ["constants that differ in case", "const foo = 2;\nconst FOO = 1;", []],
    [
      "a type with a reserved name",
      "type string2 = string;\ntype unknown = string;",
      ['s.ts:2:6 name-not-identifier: "unknown" cannot be a type name'],
    ],
  ])("%s", (_, text, expected) => expect(errors(text)).toEqual(expected));

  test.each([
    "",
    "a b",
    "a-b",
    "a.b",
    "1a",
    "class",
    "string",
    "any",
    "never",
    "undefined",
    "globalThis",
    "größe",
    'x"]; process.exit(); //',
    "*/ x /*",
    "${x}",
    "a\nb",
    "../a",
  ])("rejects the JSON definition %j as a type name", (name) => {
    const collector = new DiagnosticCollector(false);
    resolveReferences(
      readJsonSchema(JSON.stringify({ definitions: { [name]: { type: "string" } } }), "s.json"),
      collector,
    );
    expect(collector.errors.map(({ id, span }) => [id, span?.line])).toEqual([["name-not-identifier", 1]]);
    expect(collector.errors[0]?.message).toBe(`${JSON.stringify(name)} cannot be a type name`);
  });

  test.each(["A", "_a", "$", "a1", "constructor", "toString", "Type", "of"])("%j can", (name) => {
    const collector = new DiagnosticCollector(false);
    resolveReferences(
      readJsonSchema(JSON.stringify({ definitions: { [name]: { type: "string" } } }), "s.json"),
      collector,
    );
    expect(collector.errors).toEqual([]);
  });
});

describe("references", () => {
  test.each<[what: string, text: string, expected: string[]]>([
    [
      "to an undeclared name, at any position",
      [
        "interface A extends B {",
        "  a: C;",
        "  b: D[];",
        "  c: Record<string, E> | (F & { d: G });",
        "  [key: string]: H;",
        "}",
        "type I = typeof J;",
        'type K = Omit<L, "a">;',
        'interface M extends Omit<N, "a"> {}',
      ].join("\n"),
      [
        "s.ts:1:21 B",
        "s.ts:2:6 C",
        "s.ts:3:6 D",
        "s.ts:4:21 E",
        "s.ts:4:27 F",
        "s.ts:4:36 G",
        "s.ts:5:18 H",
        "s.ts:7:10 J",
        "s.ts:8:10 L",
        "s.ts:9:21 N",
      ].map((found) => `${found.replace(" ", " unresolved-reference: ")} is not declared in this schema`),
    ],
    [
      "to names of the prototype",
      "type A = toString;\ntype B = __proto__;",
      [
        "s.ts:1:10 unresolved-reference: toString is not declared in this schema",
        "s.ts:2:10 unresolved-reference: __proto__ is not declared in this schema",
      ],
    ],
    [
      "to generic types without arguments",
      "type A = Array;",
      ["s.ts:1:10 unresolved-reference: Array is not declared in this schema"],
    ],
    [
      "to a constant as a type",
      "const C = 1;\ntype A = C;",
      ["s.ts:2:10 wrong-reference: C is of kind constant, which is not allowed here"],
    ],
    [
      "to a type with typeof",
      "interface B {}\ntype A = typeof B;",
      ["s.ts:2:10 wrong-reference: B is of kind interface, which is not allowed here"],
    ],
    [
      "of extends to a constant",
      "const C = 1;\ninterface A extends C {}",
      ["s.ts:2:21 wrong-reference: C is of kind constant, which is not allowed here"],
    ],
    [
      "of extends to an alias that is not an object",
      "type B = string;\ninterface A extends B {}",
      ["s.ts:2:21 wrong-reference: B is of kind alias, which is not allowed here"],
    ],
    [
      "of extends to a union",
      "interface B {}\ntype U = B | B;\ninterface A extends U {}",
      ["s.ts:3:21 wrong-reference: U is of kind alias, which is not allowed here"],
    ],
    [
      "of extends to object aliases",
      "interface B {}\ntype C = { a: 1 };\ntype D = Record<string, B>;\ntype E = C & B;\ntype F = C;\ninterface A extends B, C, D, E, F {}",
      [],
    ],
    ["of Omit to an alias of an object", 'type B = { a: 1 };\ntype A = Omit<B, "a">;', []],
    [
      "of Omit to another alias",
      'type B = string;\ntype A = Omit<B, "a">;',
      ["s.ts:2:10 wrong-reference: B is of kind alias, which is not allowed here"],
    ],
    ["forwards and backwards", "type A = B;\ntype B = typeof C;\nconst C = 1;\ntype D = A;", []],
  ])("%s", (_, text, expected) => expect(errors(text)).toEqual(expected));
});

describe("cycles", () => {
  test.each<[what: string, text: string, expected: string[]]>([
    [
      "an interface that extends itself",
      "interface A extends A {}",
      ["s.ts:1:11 cyclic-extends: A extends itself: A -> A"],
    ],
    [
      "interfaces that extend each other: once",
      "interface A extends B {}\ninterface B extends C {}\ninterface C extends A {}",
      ["s.ts:1:11 cyclic-extends: A extends itself: A -> B -> C -> A"],
    ],
    [
      "a cycle that is entered at a later type",
      "interface X extends A {}\ninterface A extends B {}\ninterface B extends A {}",
      ["s.ts:2:11 cyclic-extends: A extends itself: A -> B -> A"],
    ],
    [
      "two cycles",
      "interface A extends A {}\ninterface B extends B {}",
      ["s.ts:1:11 cyclic-extends: A extends itself: A -> A", "s.ts:2:11 cyclic-extends: B extends itself: B -> B"],
    ],
    [
      "through Omit",
      'interface A extends Omit<A, "x"> { x: 1 }',
      ["s.ts:1:11 cyclic-extends: A extends itself: A -> A"],
    ],
    [
      "through an alias",
      "interface A extends B {}\ntype B = A;",
      ["s.ts:1:11 cyclic-extends: A extends itself: A -> B -> A"],
    ],
    ["an alias of itself", "type A = A;", ["s.ts:1:6 cyclic-alias: A is an alias of itself: A -> A"]],
    [
      "aliases of each other: once",
      "type A = B;\ntype B = A;",
      ["s.ts:1:6 cyclic-alias: A is an alias of itself: A -> B -> A"],
    ],
    [
      "through unions and intersections",
      "type A = string | B;\ntype B = C & { a: 1 };\ntype C = A;",
      ["s.ts:1:6 cyclic-alias: A is an alias of itself: A -> B -> C -> A"],
    ],
    [
      "an interface that extends a cyclic alias: the alias",
      "interface X extends A {}\ntype A = B;\ntype B = A;",
      [
        "s.ts:1:21 wrong-reference: A is of kind alias, which is not allowed here",
        "s.ts:2:6 cyclic-alias: A is an alias of itself: A -> B -> A",
      ],
    ],
    [
      "accepts recursion through members, arrays and records",
      "interface A { a: A; b: B }\ntype B = A[] | B[] | Record<string, B> | { c: B };",
      [],
    ],
    [
      "none: a diamond",
      "interface A {}\ninterface B extends A {}\ninterface C extends A {}\ninterface D extends B, C {}",
      [],
    ],
  ])("%s", (_, text, expected) => expect(errors(text)).toEqual(expected));

  test("rejects a long chain at once, in any order", () => {
    const chain = Array.from({ length: 500 }, (_, at) => `interface I${at} extends I${at + 1} {}`).concat(
      "interface I500 {}",
    );
    const started = performance.now();
    for (const lines of [chain, chain.toReversed()]) {
      expect(errors(lines.join("\n"))).toEqual([
        expect.stringMatching(
          /^s\.ts:\d+:11 unsupported-construct: a chain of more than 64 bases or aliases is not part of the schema grammar$/,
        ),
      ]);
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
