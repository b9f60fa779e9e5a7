import { expect, test } from "vitest";
import { closestName } from "../../../../generator/shared/names/closest.js";

test.each([
  ["wether", ["weather", "files"], "weather"],
  ["Weather", ["weather"], "weather"],
  ["get-sun", ["get-sum", "get-env"], "get-sum"],
  ["fils", ["files", "weather"], "files"],
  ["x", ["weather", "files"], undefined],
  ["x", ["y", "weather"], "y"],
  ["", ["weather"], undefined],
  ["anything", [], undefined],
  ["a".repeat(100_000), ["weather"], undefined],
])("%.20s of %j", (given, names, expected) => {
  expect(closestName(given, names)).toBe(expected);
});
