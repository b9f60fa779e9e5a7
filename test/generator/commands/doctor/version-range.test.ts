import { expect, test } from "vitest";
import { isInRange } from "../../../../generator/commands/doctor/version-range.js";

const table: readonly (readonly [version: string, range: string, expected: boolean | undefined])[] = [
  ["20.19.0", ">=20.19", true],
  ["20.18.9", ">=20.19", false],
  ["22.1.0", "^20.19.0 || >=22.12.0", false],
  ["22.12.0", "^20.19.0 || >=22.12.0", true],
  ["20.30.0", "^20.19.0 || >=22.12.0", true],
  ["18.20.0", "18.x || 20.x", true],
  ["19.0.0", "18.x || 20.x", false],
  ["20.0.0", "20", true],
  ["21.0.0", "20", false],
  ["20.5.1", ">= 18 < 21", true],
  ["21.0.0", ">= 18 < 21", false],
  ["21.0.0", "<=20", false],
  ["20.9.9", "<=20", true],
  ["20.9.9", ">20", false],
  ["21.0.0", ">20", true],
  ["0.1.5", "^0.1.0", true],
  ["0.2.0", "^0.1.0", false],
  ["0.0.4", "^0.0.3", false],
  ["1.2.9", "~1.2.3", true],
  ["1.3.0", "~1.2.3", false],
  ["1.4.0", "1.2.3 - 1.5.0", true],
  ["1.6.0", "1.2.3 - 1.5.0", false],
  ["3.0.0", "*", true],
  ["3.0.0", "", true],
  ["3.0.0", "latest", undefined],
  ["3.0.0", "file:../runtime", undefined],
  ["unknown", "^1.0.0", undefined],
  ["24.0.0-nightly", ">=24", true],
  ["1.2.0-beta.1", "^1.2.0", false],
  ["1.2.0-beta.2", "^1.2.0-beta.1", true],
  ["3.0.0", "workspace:^", undefined],
];

test.each(table)("%s in %j: %s", (version, range, expected) => {
  expect(isInRange(version, range)).toBe(expected);
});
