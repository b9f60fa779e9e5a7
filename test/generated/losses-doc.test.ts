import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lossesDocument } from "../../scripts/losses-doc.js";

test("docs/reference/revisions/losses.md is what scripts/losses-doc.ts prints", async () => {
  const written = readFileSync(new URL("../../docs/reference/revisions/losses.md", import.meta.url), "utf8");
  expect(written).toBe(await lossesDocument());
});
