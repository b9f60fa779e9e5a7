import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { trim } from "../../scripts/declarations.js";

test.each([
  ["the keyword declare", "export declare class A {\n    b: string;\n}\n", "export class A {\n\tb: string;\n}\n"],
  [
    "constants in a row",
    "export declare const a: A;\nexport declare const b: B;\nexport interface C {\n}\n",
    "export const a: A,\nb: B;\nexport interface C {\n}\n",
  ],
  ["a documented constant", "/** B. */\nexport declare const b: B;\n", "/** B. */\nexport const b: B;\n"],
  [
    "a comment",
    "/**\n * One.\n * @see two\n */\nexport type A = B;\n",
    "/** One.\n * @see two */\nexport type A = B;\n",
  ],
  [
    "links to the first page",
    "/**\n * One.\n * @see https://modelcontextprotocol.io/specification/2025-11-25/basic\n */\nexport type A = B;\n",
    "/** One. */\nexport type A = B;\n",
  ],
  [
    "index signatures",
    "    _meta?: {\n        [key: string]: unknown;\n    };\n",
    "\t_meta?: { [key: string]: unknown };\n",
  ],
  ["a name that equals the alias", "export type A = types.A;\n", "export type A = types.A;\n"],
  ["the link to a map", "export {};\n//# sourceMappingURL=a.d.ts.map", "export {};\n"],
  [
    "members of constants",
    "export declare const a: {\n    readonly b: {\n        c: 1;\n    };\n};\n",
    "export const a: { readonly b: { c: 1 } };\n",
  ],
  [
    "documented members of constants",
    "export declare const a: {\n    /** B. */\n    b: 1;\n};\n",
    "export const a: {\n\t/** B. */\n\tb: 1;\n};\n",
  ],
  [
    "doc comments of internal and protected members",
    "    /** A. */\n    a(): B;\n    /**\n     * B.\n     * @internal\n     */\n    b(): B;\n    /** C. */\n    protected c(): B;\n",
    "\t/** A. */\n\ta(): B;\n\tb(): B;\n\tprotected c(): B;\n",
  ],
  [
    "predicates",
    'import type * as types from "./types.js";\nexport declare function isA(value: unknown): value is types.A;\nexport declare function isB(value: unknown): value is types.B;\n',
    'import type * as t from "./types.js";\nexport const isA: (value: unknown) => value is t.A,\nisB: (value: unknown) => value is t.B;\n',
  ],
])("trims %s", (_, printed, trimmed) => {
  expect(trim(printed)).toBe(trimmed);
  expect(trim(trimmed)).toBe(trimmed);
});

const link = "\n * @see https://modelcontextprotocol.io/specification/2025-11-25/server/foo";
test.each([
  ["FooRequest", ""],
  ["FooRequestParams", ""],
  ["FooNotification", ""],
  ["FooResultResponse", ""],
  ["FooResult", link],
  ["Foo", link],
])("trims the link of %s", (name, left) => {
  const declaration = `export interface ${name} extends A {\n}\n`;
  expect(trim(`/**\n * One.${link}\n */\n${declaration}`)).toBe(`/** One.${left} */\n${declaration}`);
});

test.each(["generated/dist", "runtime/dist"])("packed declarations of %s do not import omitted ones", (folder) => {
  const dist = resolve(import.meta.dirname, "../..", folder);
  const leftOut = new Set(
    readFileSync(join(dist, ".npmignore"), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((name) => join(dist, name)),
  );
  const packed = readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".d.ts"))
    .map((name) => join(dist, name))
    .filter((path) => !leftOut.has(path));
  expect(packed.length).toBeGreaterThan(10);
  expect(leftOut.size).toBeGreaterThan(0);
  const missing = packed.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/"(\.\.?\/[^"]+)\.js"/g)]
      .map(([, name]) => resolve(dirname(path), `${name ?? ""}.d.ts`))
      .filter((needed) => !packed.includes(needed)),
  );
  expect(missing).toEqual([]);
});
