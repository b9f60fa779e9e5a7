import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorsDocument } from "../../scripts/errors-doc.js";

test("docs/reference/errors.md is what scripts/errors-doc.ts prints", async () => {
  expect(readFileSync(new URL("../../docs/reference/errors.md", import.meta.url), "utf8")).toBe(await errorsDocument());
});
