/** Another notation with the same meaning is not a change. */
import { expect, test } from "vitest";
import { typeKey } from "../../../../generator/commands/diff/type-key.js";
import type { OverlayFile } from "../../../../generator/shared/model/overlay.js";
import { spec } from "../../pipeline/passes/build.js";
import { base, found, methods, params } from "./found.js";

const named = `interface A { a: string } interface B { b: string } type Q = string | number; type E = "a" | "b";`;
const requests = `${base} ${params("a: A", named)} interface OtherRequest { method: "other" } interface OtherResult {}`;
const toDo: OverlayFile = {
  methods: { client: { ...methods.client, other: { capability: null, spec } } },
};
const sameThing: Readonly<Record<string, readonly [older: string, newer: string, facts?: OverlayFile]>> = {
  "members in another order": ["a: { x: A; y?: B }", "a: { y?: B; x: A }"],
  "members in another order, in an alternative": ["a: { x: A; y?: B } | A", "a: A | { y?: B; x: A }"],
  "alternatives in another order": ["a: (A | B)[] | string", "a: string | (B | A)[]"],
  "literals in another order": ['a: "a" | "b" | 1', 'a: 1 | "b" | "a"'],
  "literals in another order, in an array": ['a: ("a" | "b")[] | string', 'a: ("b" | "a")[] | string'],
  "values of a record in another order": [
    "a: Record<string, string | number> | null",
    "a: null | Record<string, number | string>",
  ],
  "a union written out": ["a: Q | null", "a: string | number | null"],
  "a union written out, inside another": ["a: (Q | null)[]", "a: (null | number | string)[]"],
  "values written out": ["a: E | null", 'a: "a" | "b" | null'],
  "another way to write arrays and records": [
    "a: Array<string>; b: Record<string, A>",
    "a: string[]; b: { [name: string]: A }",
  ],
  "an interface as an alias": [params("a: T", "interface T { x: A }"), params("a: T", "type T = { x: A };")],
  "a member moves into an empty base": [
    params("a: T", "interface Base {} interface T extends Base { x: A; y?: B }"),
    params("a: T", "interface Base { x: A } interface T extends Base { y?: B }"),
  ],
  "a member moves out of a base": [
    params("a: T; b: U", "interface Base { x: A } interface T extends Base {} interface U extends Base {}"),
    params("a: T; b: U", "interface Base {} interface T extends Base { x: A } interface U extends Base { x: A }"),
  ],
  "messages in another order": [
    requests.replace("ClientRequest = DoRequest", "ClientRequest = DoRequest | OtherRequest"),
    requests.replace("ClientRequest = DoRequest", "ClientRequest = OtherRequest | DoRequest"),
    toDo,
  ],
  "envelopes in another order": [
    `${params("")} interface Ask { jsonrpc: "2.0"; id: string } interface Tell { jsonrpc: "2.0" } type Wire = Ask | Tell;`,
    `${params("")} interface Ask { jsonrpc: "2.0"; id: string } interface Tell { jsonrpc: "2.0" } type Wire = Tell | Ask;`,
  ],
};

test.each(Object.entries(sameThing))("no change: %s", (_name, [older, newer, facts]) => {
  const [was, is] = [older, newer].map((text) => {
    const whole = text.includes("interface") ? text : params(text);
    return whole.includes(named) ? whole : `${whole} ${named}`;
  });
  expect(found(was ?? "", is ?? "", facts && [facts, facts])).toEqual([]);
});

test("reports members that derived types lose with a base", () => {
  const one = params("a: T", "interface Base { x: string } interface T extends Base {}");
  expect(found(one, one.replace("x: string", "")).map(({ rule, at }) => `${rule} ${at}`)).toEqual([
    "required-member-removed Base.x",
  ]);
});

test("an alternative that gets a name admits the same values", () => {
  const older = params("a: { a: string; b: string } | null");
  const newer = params("a: T | null", "interface T { a: string; b: string }");
  expect(found(older, newer).map(({ rule, at }) => `${rule} ${at}`)).toEqual([
    "type-restated Params.a",
    "definition-added T",
  ]);
});

test("types that are nested deeply are compared in linear time", () => {
  const nested = (depth: number): object =>
    depth === 0 ? { kind: "string" } : { kind: "union", members: [{ kind: "null" }, nested(depth - 1)] };
  expect(typeKey(nested(60))).toBe(typeKey(nested(60)));
  expect(typeKey(nested(60))).not.toBe(typeKey(nested(59)));
});
