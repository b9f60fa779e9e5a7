import { expect, test } from "vitest";
import { leastNode } from "../../../../generator/commands/bundle/node-range.js";

test.each([
  [">=20.19", "20.19"],
  ["^22.12.0 || ^20.19.0", "20.19.0"],
  [">= 18 <23", "18"],
  ["<23 >=20", "20"],
  ["20.x", "20"],
  ["20.9 || 20.10", "20.9"],
  ["*", undefined],
  ["<24", undefined],
])("the lowest version of %s", (range, expected) => {
  expect(leastNode(range)).toBe(expected);
});
