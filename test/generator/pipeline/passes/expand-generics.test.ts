import { describe, expect, test } from "vitest";
import { DiagnosticCollector } from "../../../../generator/pipeline/passes/diagnostic-collector.js";
import { expandGenerics } from "../../../../generator/pipeline/passes/expand-generics.js";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import { errorsOf, flatText } from "./flat.js";

describe("a generic type with its arguments", () => {
  test.each<[what: string, text: string, expected: Record<string, string>]>([
    [
      "is written in place",
      "type A = { p: P<string> }; type P<T> = { items: T[]; next?: T };",
      { A: "{ p: { items: string[]; next?: string } }" },
    ],
    [
      "is written in place for an interface",
      "interface A { p: P<A> } interface P<T> { items: T[] }",
      { A: "{ p: { items: A[] } }" },
    ],
    [
      "takes the name of its alias",
      "type A = P<B>; interface P<T> { items: T[] } interface B {}",
      { A: "{ items: B[] }", B: "{  }" },
    ],
    [
      "has that name everywhere",
      "type A = P<string>; interface P<T> { items: T[] } interface B { p: P<string>; q: P<number> }",
      { A: "{ items: string[] }", B: "{ p: A; q: { items: number[] } }" },
    ],
    [
      "can have defaults",
      "interface A { p: P; q: P<1>; r: P<1, 2> } type P<T = string, U = T> = { t: T; u: U };",
      { A: "{ p: { t: string; u: string }; q: { t: 1; u: 1 }; r: { t: 1; u: 2 } }" },
    ],
    [
      "can be an argument",
      "interface A { p: P<P<string>> } type P<T> = { t: T };",
      { A: "{ p: { t: { t: string } } }" },
    ],
    [
      "can be a union",
      "interface A { p: P<string>; q: P<B> } type P<T> = T | null; interface B {}",
      { A: "{ p: string | null; q: B | null }", B: "{  }" },
    ],
    [
      "can have inline arguments",
      "interface A { p: P<{ x: 1 }> } type P<T> = { t: T };",
      { A: "{ p: { t: { x: 1 } } }" },
    ],
    ["can be a base", "interface A extends P<string> { a: 1 } interface P<T> { t: T }", { A: "{ t: string; a: 1 }" }],
    [
      "can be a base with bases",
      "interface A extends P<B> { a: 1 } interface P<T> extends Q { t: T } interface Q { q: 1 } interface B {}",
      { A: "{ Q#q: 1; PB#t: B; a: 1 }", PB: "{ Q#q: 1; t: B }", Q: "{ q: 1 }", B: "{  }" },
    ],
    [
      "can be a base by an alias",
      "interface A extends P { a: 1 } type P = Q<string>; interface Q<T> { t: T }",
      { A: "{ P#t: string; a: 1 }", P: "{ t: string }" },
    ],
    ["can be intersected", "type A = P<string> & { a: 1 }; interface P<T> { t: T }", { A: "{ t: string; a: 1 }" }],
    ["can be an operand", "type A = Partial<P<string>>; interface P<T> { t: T }", { A: "{ t?: string }" }],
    [
      "can use operators",
      'type A = P<B>; type P<T> = Omit<T, "x"> & { y: keyof T }; interface B { x: 1; z: 2 }',
      { A: '{ z: 2; y: "x" | "z" }', B: "{ x: 1; z: 2 }" },
    ],
    [
      "has a name when it is recursive",
      "interface A { tree: Tree<string>; other: Tree<B[]> } interface Tree<T> { value: T; nodes: Tree<T>[] } interface B {}",
      {
        A: "{ tree: TreeString; other: TreeBList }",
        TreeString: "{ value: string; nodes: TreeString[] }",
        TreeBList: "{ value: B[]; nodes: TreeBList[] }",
        B: "{  }",
      },
    ],
    [
      "has the name of its alias when it is recursive",
      "type A = Tree<string>; type Tree<T> = { value: T; nodes: Tree<T>[] };",
      { A: "{ value: string; nodes: A[] }" },
    ],
    [
      "has a name that is free",
      "interface A { tree: Tree<1> } interface Tree<T> { nodes: Tree<T>[] } interface Tree1 {} type U = Tree<{}>[];",
      {
        A: "{ tree: Tree12 }",
        Tree12: "{ nodes: Tree12[] }",
        Tree2: "{ nodes: Tree2[] }",
        Tree1: "{  }",
        U: "Tree2[]",
      },
    ],
    ["is left out when nothing uses it", "interface A {} interface P<T> { t: T }", { A: "{  }" }],
  ])("%s", (_, text, expected) => expect(flatText(text)).toEqual(expected));

  test("keeps its text unless its alias has one", () => {
    const text = "/** P. */ interface P<T> { t: T } type A = P<1>;\n/** B. */ type B = P<2>;";
    const { declarations } = expandGenerics(readTypeScript(text, "s.ts"), new DiagnosticCollector(true));
    expect(declarations.map((found) => [found.name, found.text])).toEqual([
      ["A", "P."],
      ["B", "B."],
    ]);
  });
});

describe("rejects", () => {
  test.each<[what: string, text: string, expected: string]>([
    [
      "too few arguments",
      "interface A { p: P } interface P<T> { t: T }",
      "s.ts:1:18 type-arguments: P takes 1 type arguments, not 0",
    ],
    [
      "too many arguments",
      "interface A { p: P<1, 2, 3> } interface P<T, U = T> { t: T; u: U }",
      "s.ts:1:18 type-arguments: P takes 1 to 2 type arguments, not 3",
    ],
    [
      "arguments of a type without parameters",
      "interface A { p: B<1> } interface B {}",
      "s.ts:1:18 type-arguments: B takes 0 type arguments, not 1",
    ],
    [
      "arguments of an unknown type",
      "interface A { p: B<1> }",
      "s.ts:1:18 unresolved-reference: B is not declared in this schema",
    ],
    [
      "arguments that grow",
      "interface A { p: P<1> } interface P<T> { p?: P<T[]> }",
      "s.ts:1:46 generic-unbounded: P needs too many types when its arguments are written out",
    ],
    [
      "a default that needs itself",
      "interface A { p: P } interface P<T = P> { p?: T }",
      "s.ts:1:38 generic-unbounded: P needs too many types when its arguments are written out",
    ],
    [
      "arguments that multiply",
      `interface A { p: ${"P<".repeat(20)}1${">".repeat(20)} } type P<T> = { a: T; b: T; c: T };`,
      "s.ts:1:36 generic-unbounded: P needs too many types when its arguments are written out",
    ],
    [
      "a base that is not an object",
      "interface A extends P<string> {} type P<T> = T | null;",
      "s.ts:1:21 unsupported-construct: the base string | null, which is not an object type, is not part of the schema grammar",
    ],
  ])("%s", (_, text, expected) => expect(errorsOf(text)).toEqual([expected]));
});
