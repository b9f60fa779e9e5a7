import { expect, test } from "vitest";
import { isNewer } from "../../../../generator/shared/project/is-newer.js";

test.each([
  ["0.1.0", "0.1.0", false],
  ["0.1.1", "0.1.0", true],
  ["0.1.0", "0.1.1", false],
  ["0.10.0", "0.9.9", true],
  ["1.0.0", "0.9.9", true],
  ["0.9.9", "1.0.0", false],
  ["1.0.0", "1.0.0-rc.1", true],
  ["1.0.0-rc.1", "1.0.0", false],
  ["1.0.0-rc.2", "1.0.0-rc.1", true],
  ["1.0.0-rc.10", "1.0.0-rc.9", true],
  ["1.0.0-rc.1", "1.0.0-rc.2", false],
  ["1.0.0+2", "1.0.0+1", false],
  ["1.0.0", "unknown", false],
])("%s after %s: %s", (version, other, newer) => {
  expect(isNewer(version, other)).toBe(newer);
});
