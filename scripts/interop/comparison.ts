/** Checks that docs/guide/migrating-tasks.md shows the programs of test/interop/comparison, which `npm run interop` type-checks and runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { interopFolder, root } from "./paths.js";

/** The problems of the document. */
export function comparisonProblems(): string[] {
  const text = readFileSync(join(root, "docs/guide/migrating-tasks.md"), "utf8");
  return ["official.ts", "raw-dispatch.ts", "ours.ts"].flatMap((name) => {
    const program = readFileSync(join(interopFolder, "comparison", name), "utf8");
    const block = `\`\`\`typescript\n// ${name}\n${program}\`\`\`\n`;
    return text.includes(block) ? [] : `it does not show test/interop/comparison/${name} as it is`;
  });
}
