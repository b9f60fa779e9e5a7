import { describe, expect, test } from "vitest";
import { joinModules, linkImports, type LinkedModules } from "../../../../generator/pipeline/passes/link-imports.js";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import type { SourceModule } from "../../../../generator/shared/model/source.js";
import { problems } from "../../shared/diagnostics/problems.js";
import { declarations } from "../read/declarations.js";

/** Links `s.ts` to other files, which are named by their specifiers. */
function link(text: string, others: Readonly<Record<string, string>> = {}): LinkedModules {
  const modules = new Map(Object.entries(others).map(([name, other]) => [name, readTypeScript(other, `${name}.ts`)]));
  return linkImports(readTypeScript(text, "s.ts"), (specifier) => modules.get(specifier));
}

const refused = (text: string, others: Readonly<Record<string, string>> = {}): string[] =>
  problems(() => link(text, others));

/** The names in each file. */
const shown = ({ own, imported }: LinkedModules): string[] =>
  [own, ...imported].map(
    (module: SourceModule) => `${module.file}: ${module.declarations.map(({ name }) => name).join(" ")}`,
  );

describe("takes the declarations that a schema uses from other files", () => {
  test.each<[what: string, text: string, others: Readonly<Record<string, string>>, expected: string[]]>([
    ["nothing without imports", "interface A {}", {}, ["s.ts: A"]],
    [
      "only those that are imported",
      'import type { B } from "b"; interface A { b: B }',
      { b: "interface B {} interface C {}" },
      ["s.ts: A", "b.ts: B"],
    ],
    [
      "those that they refer to, in the order of the file",
      'import type { B } from "b"; interface A { b: B }',
      {
        b: 'interface E {} interface D extends E { v: typeof V } interface C {} interface B { d: Omit<D, "x">[] } const V = 1;',
      },
      ["s.ts: A", "b.ts: E D B V"],
    ],
    [
      "those that a default of a parameter refers to",
      'import type { B } from "b"; interface A { b: B }',
      { b: "interface B<T = C> { c: T } interface C {}" },
      ["s.ts: A", "b.ts: B C"],
    ],
    [
      "recursive types once",
      'import type { B } from "b"; interface A { a: A; b: B }',
      { b: "interface B { c: C } interface C { b: B }" },
      ["s.ts: A", "b.ts: B C"],
    ],
    [
      "through further files",
      'import type { B } from "b"; interface A { b: B }',
      { b: 'import type { C } from "c"; interface B { c: C }', c: "interface C {} interface D {}" },
      ["s.ts: A", "b.ts: B", "c.ts: C"],
    ],
    [
      "through a re-export",
      'import type { B } from "b"; interface A { b: B }',
      { b: 'export type { C as B } from "c";', c: "interface C {}" },
      ["s.ts: A", "c.ts: C"],
    ],
    [
      "through `export *`",
      'import type { B } from "b"; interface A { b: B }',
      { b: 'export * from "d"; export * from "c";', c: "interface B {}", d: "interface D {}" },
      ["s.ts: A", "c.ts: B"],
    ],
    [
      "all of a file with `export *`, with its re-exports but without its imports",
      'export * from "b"; interface A {}',
      {
        b: 'import { C } from "c"; export { D } from "c"; export * from "e"; interface B {}',
        c: "interface C {} interface D {}",
        e: "interface E {}",
      },
      ["s.ts: A", "e.ts: E", "c.ts: D", "b.ts: B"],
    ],
    [
      "of one file under two specifiers once",
      'import type { B } from "b"; import type { C } from "c"; interface A { b: B; c: C }',
      { b: "interface B { d: D } interface D {}", c: 'export { D as C } from "b";' },
      ["s.ts: A", "b.ts: B D"],
    ],
    [
      "even if nothing refers to them",
      'import type { B } from "b"; interface A {}',
      { b: "interface B {}" },
      ["s.ts: A", "b.ts: B"],
    ],
    [
      "without the imports of a file that are not used",
      'import type { B } from "b"; interface A { b: B }',
      { b: 'import type { C } from "nowhere"; interface B {} interface D { c: C }' },
      ["s.ts: A", "b.ts: B"],
    ],
  ])("%s", (_, text, others, expected) => expect(shown(link(text, others)).sort()).toEqual([...expected].sort()));

  test("with the own declarations first, and the file of each in its position", () => {
    const joined = joinModules(link('import type { B } from "b"; interface A { b: B }', { b: "interface B {}" }));
    expect(joined.imports).toBeUndefined();
    expect(joined.declarations.map(({ name, span }) => `${name} ${span.file}`)).toEqual(["A s.ts", "B b.ts"]);
  });
});

test.each<[what: string, text: string, expected: string]>([
  ["a reference", "type A = { a: L[] };", "type A = { a: N[] };"],
  ["a default of a parameter", "interface A<T = L> { a: T }", "interface A<T = N> { a: T }"],
  ["a base", "interface A extends L {}", "interface A extends N {}"],
  ["a base of Omit", 'interface A extends Omit<L, "x"> {}', 'interface A extends Omit<N, "x"> {}'],
  ["Omit", 'type A = Omit<L, "x">;', 'type A = Omit<N, "x">;'],
  ["a constant", "type A = typeof L;", "type A = typeof N;"],
  ["no member of that name", "interface A { L: L }", "interface A { L: N }"],
  ["no text of that name", 'type A = "L";', 'type A = "L";'],
])("a local name becomes the declared name in %s", (_, text, expected) => {
  const { own } = link(`import type { N as L } from "b"; ${text}`, { b: "interface N {}" });
  expect(declarations(own)).toEqual(declarations(readTypeScript(expected, "s.ts")));
});

test("two names that are exchanged stay apart", () => {
  const { own } = link('import type { B as C, C as B } from "b"; interface A { b: B; c: C }', {
    b: "interface B {} interface C {}",
  });
  expect(declarations(own)).toEqual(declarations(readTypeScript("interface A { b: C; c: B }", "s.ts")));
});

test("local names of another file become the declared names, too", () => {
  const { imported } = link('import type { B } from "b"; interface A { b: B }', {
    b: 'import type { N as L } from "c"; interface B { n: L }',
    c: "interface N {}",
  });
  expect(imported.map(declarations)).toContainEqual(declarations(readTypeScript("interface B { n: N }", "b.ts")));
});

describe("rejects", () => {
  test.each<[what: string, text: string, others: Readonly<Record<string, string>>, expected: string[]]>([
    [
      "a specifier without a file, once",
      'import type { B, C } from "b"; interface A {}',
      {},
      ["s.ts:1:15 import-unresolved: no file is given for the import b"],
    ],
    [
      "a specifier without a file in an imported file",
      'import type { B } from "b"; interface A {}',
      { b: 'import { C } from "c"; interface B { c: C }' },
      ["b.ts:1:10 import-unresolved: no file is given for the import c"],
    ],
    [
      "a name that the file does not declare",
      'import type { B, C as D } from "b"; interface A {}',
      { b: "interface B {}" },
      ["s.ts:1:18 import-name-missing: b.ts, which is imported as b, does not declare C"],
    ],
    [
      "a circle of files",
      'import type { B } from "b"; interface A {}',
      { b: 'import { C } from "c"; interface B {}', c: 'import { B } from "b"; interface C {}' },
      ["c.ts:1:10 import-cycle: files import each other: b.ts -> c.ts -> b.ts"],
    ],
    [
      "an import of a declared name",
      'import type { B } from "b"; interface B {}',
      { b: "interface B {}" },
      [
        "s.ts:1:15 duplicate-declaration: B is declared twice; the first declaration is at s.ts:1:39",
        "s.ts:1:39 import-collision: B is also declared at b.ts:1:11, in a file that this schema imports",
      ],
    ],
    [
      "one name for two declarations",
      'import type { B } from "b"; import type { C as B } from "b"; interface A {}',
      { b: "interface B {} interface C {}" },
      ["s.ts:1:43 duplicate-declaration: B is declared twice; the first declaration is at s.ts:1:15"],
    ],
    [
      "equal names in two files, although the import has another local name",
      'import type { B as C } from "b"; interface B { c: C }',
      { b: "interface B {}" },
      ["s.ts:1:44 import-collision: B is also declared at b.ts:1:11, in a file that this schema imports"],
    ],
    [
      "equal names that imported types refer to",
      'import type { B } from "b"; interface A {}',
      { b: "interface B { a: A } interface A {}" },
      ["s.ts:1:39 import-collision: A is also declared at b.ts:1:32, in a file that this schema imports"],
    ],
  ])("%s", (_, text, others, expected) => expect(refused(text, others)).toEqual(expected));

  test("a file that imports itself", () => {
    const own = readTypeScript('import type { B } from "s"; interface A {}', "s.ts");
    expect(problems(() => linkImports(own, () => own))).toEqual([
      "s.ts:1:15 import-cycle: files import each other: s.ts -> s.ts",
    ]);
  });
});

test("accepts one declaration that is imported twice, also under two specifiers", () => {
  const linked = link('import type { B } from "b"; export type { B } from "c"; interface A { b: B }', {
    b: "interface B {}",
    c: 'export * from "b";',
  });
  expect(shown(linked)).toEqual(["s.ts: A", "b.ts: B"]);
});
