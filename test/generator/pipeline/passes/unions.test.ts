import { describe, expect, test } from "vitest";
import type { UnionChoice } from "../../../../generator/shared/model/protocol.js";
import { build, ping } from "./build.js";

const types = `
interface A { kind: "a"; x: string } interface B { kind: "b"; y: number } interface C { kind: "c" | "d" }
interface Constant { kind: typeof K } const K = "k";
interface Enumerated { kind: Kinds } type Kinds = "e" | "f";
interface Open { kind: "z" | string }
interface Optional { kind?: "o"; z: 1 }
interface Numbered { level: 1; kind: string } interface Other { level: 2; kind: string }
interface Flag { on: true } interface Off { on: false }
interface X { x: string; shared: 1 } interface Y { y: string; shared?: 1 } interface Plain { shared: 1 }
interface Loose { [key: string]: unknown; v: 1 }
type AorB = A | B; type Alias = A; type Text = "t" | string; type List = string[]; type Nested = AorB | C;
interface Sub extends A {}
`;

function choice(type: string): UnionChoice | undefined {
  const { model } = build(`${ping} ${types} type Subject = ${type};`);
  const found = model.definitions.find(({ name }) => name === "Subject");
  return found?.kind === "alias" && found.type.kind === "union" ? found.type.choice : undefined;
}

const tag = (member: string, ...cases: (string | number | boolean)[][]): UnionChoice => ({
  kind: "tag",
  member,
  cases,
});
const json = (...cases: ("string" | "number" | "boolean" | "null" | "object" | "array")[][]): UnionChoice => ({
  kind: "jsonType",
  cases,
});
const presence = (...members: (string | null)[]): UnionChoice => ({ kind: "presence", members });
const ordered: UnionChoice = { kind: "ordered" };

describe("distinguishes the alternatives of a union", () => {
  test.each<[type: string, why: string, expected: UnionChoice | undefined]>([
    ["A | B", "by a literal", tag("kind", ["a"], ["b"])],
    ["A | C", "by several literals", tag("kind", ["a"], ["c", "d"])],
    ["A | Constant", "by a constant", tag("kind", ["a"], ["k"])],
    ["A | Enumerated", "by the values of an enumeration", tag("kind", ["a"], ["e", "f"])],
    ["Alias | B", "through an alias", tag("kind", ["a"], ["b"])],
    ["AorB | C", "through a nested union", tag("kind", ["a", "b"], ["c", "d"])],
    ["Nested | Constant", "through unions in unions", tag("kind", ["a", "b", "c", "d"], ["k"])],
    ['{ kind: "i" } | A', "by a literal of an inline type", tag("kind", ["i"], ["a"])],
    ["Numbered | Other", "by numbers", tag("level", [1], [2])],
    ["Flag | Off", "by booleans", tag("on", [true], [false])],
    ["A | Optional", "not by an optional literal; by presence", presence("x", "z")],
    ["Optional | B", "not by an optional literal; by presence", presence("z", "y")],
    ["A | Open", "not by an open enumeration", presence("x", null)],
    ["A | Sub", "not by literals that they share", ordered],
    ["AorB | A", "not by literals that a nested union shares", ordered],
    ["string | number", "by JSON type", json(["string"], ["number"])],
    ["string | null", "by JSON type", json(["string"], ["null"])],
    ["A | string", "by JSON type", json(["string"], ["object"])],
    ["A | List | null", "by JSON type, through an alias", json(["object"], ["array"], ["null"])],
    ["Text | boolean", "by JSON type of an enumeration", json(["string"], ["boolean"])],
    ["AorB | string[]", "by JSON type of a nested union", json(["object"], ["array"])],
    ["1 | 2", "not by literals that are not objects", ordered],
    ["1 | string", "by JSON type of a literal", json(["string"], ["number"])],
    ["1 | number", "not by a JSON type that they share", ordered],
    ["A[] | B[]", "not by the items of arrays", ordered],
    ["Record<string, A> | Record<string, B>", "not by the values of maps", ordered],
    [
      "{ x: 1; y?: never } | { y: 1; x?: never }",
      "by presence of members that must be absent in others",
      presence("x", "y"),
    ],
    ["X | Y", "by a required member that no other has", presence("x", "y")],
    ["X | Plain", "by presence, with one alternative as the rest", presence("x", null)],
    ["Plain | X", "by presence, with the rest at any position", presence(null, "x")],
    ["X | Plain | { shared: 2 }", "not when two are the rest", ordered],
    ["X | Y | A", "not by a member that another one has", presence(null, "y", "kind")],
    ["X | Loose", "not when one has every member", ordered],
    ["A | B | string", "not when no rule applies to all", ordered],
    ['"a" | "b" | string', "not at all, because it is an enumeration", undefined],
    ["A | unknown", "not at all, because it accepts any value", undefined],
  ])("%s: %s", (type, _, expected) => expect(choice(type)).toEqual(expected));

  test("works in members, arrays and maps too", () => {
    const { model } = build(`${ping} ${types} interface Subject { m?: (A | B)[]; n: { o: Record<string, X | Y> } }`);
    expect(model.definitions.find(({ name }) => name === "Subject")).toMatchObject({
      members: [
        { type: { items: { choice: { kind: "tag", member: "kind" } } } },
        { type: { members: [{ type: { values: { choice: { kind: "presence", members: ["x", "y"] } } } }] } },
      ],
    });
  });
});
