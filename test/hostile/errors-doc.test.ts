import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorDocuments } from "../../scripts/errors-doc.js";

const folder = new URL("../../docs/reference/errors/", import.meta.url);

test("docs/reference/errors has what scripts/errors-doc.ts prints", async () => {
  const written = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), "utf8")]);
  expect(Object.fromEntries(written)).toStrictEqual(Object.fromEntries(await errorDocuments()));
});
