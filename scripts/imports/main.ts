/** Checks that no file takes part in an import circle and that no import crosses a border of folders: `npm run lint:imports`. */
import { join } from "node:path";
import { borders, missingFolders } from "./borders.js";
import { checkImports, printProblem } from "./check.js";

const folders = ["generated", "generator", "runtime/src", "scripts", "examples", "test"];

const root = join(import.meta.dirname, "../..");
const { files, problems } = await checkImports(root, folders, borders);
const missing = missingFolders(root, borders);
for (const problem of problems) console.log(printProblem(problem));
for (const folder of missing) console.log(`scripts/imports/borders.ts lists ${folder}, which does not exist`);
console.log(`${files} files, ${problems.length + missing.length} problems`);
if (problems.length + missing.length > 0) process.exitCode = 1;
