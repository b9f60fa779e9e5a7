import { expect, test } from "vitest";
import { problems } from "../../shared/diagnostics/problems.js";
import { build, ping, pingMethods } from "./build.js";

const refused = (text: string): string[] =>
  problems(() => build(`${text}\n${ping}`, { own: { methods: pingMethods } }));

test.each<[what: string, text: string, expected: readonly string[]]>([
  [
    "rejects a member of another type than that of the base",
    "interface A extends B {\n  x: number }\ninterface B { x: string }",
    ["s.ts:2:3 member-conflict: x of A has one type in A and another in B"],
  ],
  [
    "rejects a literal that the base does not allow",
    'interface A extends B {\n  x: "a" }\ninterface B { x: "b" | "c" }',
    ["s.ts:2:3 member-conflict: x of A has one type in A and another in B"],
  ],
  [
    "rejects a member that the index signature does not allow",
    "interface A {\n  x: C; y: number; [key: string]: number }\ninterface C { z: 1 }",
    ["s.ts:2:3 member-conflict: x of A has one type in A and another in its index signature"],
  ],
  [
    "rejects `typeof` of a constant with a declared type",
    'const K: string = "k";\ninterface A { x: typeof K }',
    ["s.ts:2:18 unsupported-construct: typeof of a constant with a declared type is not part of the schema grammar"],
  ],
  [
    "rejects a required member that no value has",
    "interface A {\n  x: never; y?: never }",
    ["s.ts:2:3 member-never: x of A is required, but no value has its type"],
  ],
  [
    "rejects one by another name, inside another type",
    "interface A { a: ({ x: N } | string)[] }\ntype N = never;",
    ["s.ts:1:11 member-never: x of A is required, but no value has its type"],
  ],
  [
    "accepts members that must be absent",
    "interface A { x?: never; y?: undefined; z: Record<string, never>; n: never[] }",
    [],
  ],
  [
    "accepts a member that the base leaves out",
    'interface A extends Omit<B, "x"> { x: 1 }\ninterface B { x: "a" }',
    [],
  ],
  [
    "accepts a member that is narrowed",
    'interface A extends B { x: "a"; y: C }\ninterface B { x: string; y: object }\ninterface C { z: 1 }',
    [],
  ],
])("%s", (_, text, expected) => expect(refused(text)).toEqual(expected));
