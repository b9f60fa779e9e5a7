import { describe, expect, test } from "vitest";
import { build, ping } from "./build.js";

describe("a definition is recursive when it can contain itself", () => {
  test.each<[what: string, schema: string, expected: string[]]>([
    ["by a member", "interface A { a?: A }", ["A"]],
    ["by an array", "type A = A[];", ["A"]],
    ["by a map", "interface A { a: Record<string, A> }", ["A"]],
    ["by an index signature", "interface A { [key: string]: A | string }", ["A"]],
    ["by an inherited member", "interface A extends B {} interface B { a?: A }", ["A"]],
    ["through other types", "interface A { b: B } type B = C | string; interface C { a?: A }", ["A", "B", "C"]],
    ["but not only because it refers to a recursive one", "interface A { b: B } interface B { b?: B }", ["B"]],
    ["but not only because it is used twice", "interface A { b: B; c: B } interface B { x: 1 }", []],
  ])("%s", (_, schema, expected) => {
    const { definitions } = build(`${ping} ${schema}`).model;
    expect(definitions.filter(({ recursive }) => recursive).map(({ name }) => name)).toEqual(expected);
  });
});
