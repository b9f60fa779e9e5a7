import { expect, test } from "vitest";
import { factorOut, planUnion, type Union } from "../../../../generator/pipeline/emit/predicates/union-plan.js";
import type { MemberModel, TypeModel } from "../../../../generator/shared/model/protocol.js";

const text: TypeModel = { kind: "string" };
const member = (name: string, type: TypeModel = text, optional = false): MemberModel => ({ name, optional, type });
const struct = (...members: readonly MemberModel[]): TypeModel => ({ kind: "struct", members });
const value = (found: string): TypeModel => ({ kind: "literal", value: found });
const union = (...members: readonly TypeModel[]): Union => ({ kind: "union", members, choice: { kind: "ordered" } });

test("values that select the same alternatives share a case", () => {
  const both: TypeModel = { kind: "enum", values: ["a", "b"], open: false };
  const first = struct(member("type", both), member("x"));
  const second = struct(member("type", value("c")), member("x"));
  const third = struct(member("type", value("c")), member("y"));
  expect(planUnion(union(first, second, third), new Map())).toEqual({
    kind: "cases",
    member: "type",
    cases: [
      { values: ["a", "b"], types: [first] },
      { values: ["c"], types: [second, third] },
    ],
  });
});

test("checks objects together when they share at least half of their members", () => {
  const similar = union(struct(member("uri"), member("text")), struct(member("uri"), member("blob")));
  const different = union(struct(member("uri"), member("a"), member("b")), struct(member("uri"), member("c")));
  expect([planUnion(similar, new Map()).kind, planUnion(different, new Map()).kind]).toEqual(["similar", "each"]);
});

test("a member that is of another type or optional in one of them is not shared", () => {
  const alternatives = [
    [member("a"), member("b"), member("c", text, true)],
    [member("a"), member("b", value("x")), member("c")],
  ];
  const { common, rests } = factorOut(alternatives);
  expect([common, ...rests].map((members) => members.map(({ name }) => name))).toEqual([["a"], ["b", "c"], ["b", "c"]]);
});

test("checks only the shared members when an alternative has no others", () => {
  expect(factorOut([[member("a")], [member("a"), member("b")]])).toEqual({ common: [member("a")], rests: [] });
});
