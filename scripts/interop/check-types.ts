import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { interopFolder, root } from "./paths.js";

/** Type-checks the programs of this folder. The main type check does not include them, because their peers are installed only here. */
export function checkTypes(): void {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  // Pages have the types of a browser.
  for (const project of [interopFolder, join(interopFolder, "apps/pages")])
    execFileSync(process.execPath, [compiler, "--project", project], { stdio: "inherit" });
}
