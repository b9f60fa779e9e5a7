import { expect, test } from "vitest";
import { isInputRequiredResult } from "../../../runtime/src/client.js";

test.each<[unknown, boolean]>([
  [{ resultType: "input_required", requestState: "s" }, true],
  [{ resultType: "complete", content: [] }, false],
  [{ content: [], inputRequests: {} }, false],
  [undefined, false],
  [null, false],
])("%j asks for input: %s", (result, expected) => {
  expect(isInputRequiredResult(result)).toBe(expected);
});
