import { isServerCapabilities } from "@mcpwright/protocol/2025-11-25";
import { expect, test } from "vitest";
import { isMostlyAbsent } from "../../../../generator/pipeline/emit/predicates/predicate-parts.js";
import type { MemberModel, TypeModel } from "../../../../generator/shared/model/protocol.js";

const members = (count: number, optional: boolean, type: TypeModel = { kind: "string" }): readonly MemberModel[] =>
  Array.from({ length: count }, (_, at) => ({ name: `m${at}`, optional, type }));

test.each([
  ["five optional members", { members: members(5, true) }, true],
  ["four", { members: members(4, true) }, false],
  ["five optional members and a required one", { members: [...members(5, true), ...members(1, false)] }, false],
  [
    "five optional members and one of any type",
    { members: [...members(5, true), ...members(1, true, { kind: "unknown" })] },
    false,
  ],
  ["five optional members and an index signature", { members: members(5, true), index: { kind: "string" } }, false],
] as const)("an object of %s", (_what, struct, walked) => {
  expect(isMostlyAbsent(struct)).toBe(walked);
});

test.each([
  [{}, true],
  [{ tools: {}, logging: {}, somethingElse: 5 }, true],
  [{ tools: undefined }, true],
  [{ tools: null }, false],
  [{ tools: { listChanged: 1 } }, false],
  [{ somethingElse: 5, experimental: { a: 1 } }, false],
  [JSON.parse('{"__proto__":{"tools":5},"constructor":5}'), true],
  [Object.create({ tools: 5 }), false],
  [[], false],
])("by iteration, the predicate of server capabilities %j: %s", (value, valid) => {
  expect(isServerCapabilities(value)).toBe(valid);
});
