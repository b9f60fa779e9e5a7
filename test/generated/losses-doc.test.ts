import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lossesDocument } from "../../scripts/losses-doc.js";

test("docs/reference/revisions/losses.md equals the output of scripts/losses-doc.ts", async () => {
  const written = readFileSync(new URL("../../docs/reference/revisions/losses.md", import.meta.url), "utf8");
  expect(written).toBe(await lossesDocument());
});
