/** Writes the schemas and types of compat/src/types, or with `--check` fails if they are out of date. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compatTypes } from "./files.js";

const folder = join(import.meta.dirname, "../../../compat/src/types");
const isCheck = process.argv.includes("--check");
const outdated: string[] = [];
for (const [name, content] of await compatTypes()) {
  const path = join(folder, name);
  if (isCheck) {
    if (readFileSync(path, "utf8") !== content) outdated.push(name);
  } else writeFileSync(path, content);
}
if (outdated.length > 0) {
  console.error(`Out of date in compat/src/types: ${outdated.join(", ")}. Run \`npm run generate:compat\`.`);
  process.exitCode = 1;
}
