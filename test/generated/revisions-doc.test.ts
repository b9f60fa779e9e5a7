import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { revisionDocuments } from "../../scripts/revisions-doc.js";

const folder = new URL("../../docs/reference/revisions/", import.meta.url);

test("docs/reference/revisions equals the output of scripts/revisions-doc.ts", { timeout: 60_000 }, async () => {
  const documents = await revisionDocuments();
  const stale = [...documents].filter(([name, text]) => readFileSync(new URL(name, folder), "utf8") !== text);
  expect(stale.map(([name]) => name)).toEqual([]);
  // Another script prints the losses of conversions.
  expect(readdirSync(folder).sort()).toEqual([...documents.keys(), "losses.md"].sort());
});
