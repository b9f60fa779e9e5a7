import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { interopFolder, root } from "./paths.js";

/** What meets is type-checked here, and not with the rest: its peers are installed only now. */
export function checkTypes(): void {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "--project", interopFolder], { stdio: "inherit" });
}
