import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { revisionDocuments } from "../../scripts/revisions-doc.js";

const folder = new URL("../../docs/reference/revisions/", import.meta.url);

test("docs/reference/revisions is what scripts/revisions-doc.ts prints", { timeout: 60_000 }, async () => {
  const documents = await revisionDocuments();
  const stale = [...documents].filter(([name, text]) => readFileSync(new URL(name, folder), "utf8") !== text);
  expect(stale.map(([name]) => name)).toEqual([]);
  // What conversions lose is printed by another script.
  expect(readdirSync(folder).sort()).toEqual([...documents.keys(), "losses.md"].sort());
});
