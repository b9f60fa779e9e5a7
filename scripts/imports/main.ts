/** Checks that no file takes part in an import circle and that no import crosses a border of folders: `npm run lint:imports`. */
import { join } from "node:path";
import { borders, missingPaths, unlistedFolders } from "./borders.js";
import { checkImports, printProblem } from "./check.js";

const folders = ["generated", "generator", "runtime/src", "compat/src", "scripts", "examples", "test"];

const root = join(import.meta.dirname, "../..");
const { files, problems } = await checkImports(root, folders, borders);
const stale = [
  ...missingPaths(root, borders).map((path) => `${path} does not exist, but is listed`),
  ...unlistedFolders(root, borders).map((path) => `${path} is not listed`),
];
for (const problem of problems) console.log(printProblem(problem));
for (const message of stale) console.log(`scripts/imports/borders.ts: ${message}`);
console.log(`${files} files, ${problems.length + stale.length} problems`);
if (problems.length + stale.length > 0) process.exitCode = 1;
