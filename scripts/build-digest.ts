import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** The sources and the results of a build, from the root of the repository. */
const parts = [
  "generator",
  "generated",
  "runtime",
  "compat",
  "dist",
  "scripts",
  "package.json",
  "tsconfig.base.json",
  "tsconfig.generator.json",
  // The installed versions of the compiler and of the bundlers.
  "node_modules/.package-lock.json",
];

/** A digest of the sources and results of a build. It differs when any of them was added, changed or removed. */
export function digestOf(root: string): string {
  const hash = createHash("sha256");
  for (const file of parts.flatMap((part) => filesIn(join(root, part))).sort()) {
    hash.update(`${relative(root, file)}\n`);
    hash.update(createHash("sha256").update(readFileSync(file)).digest());
  }
  return hash.digest("hex");
}

function filesIn(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    // The build info of the compiler can change while its output stays the same.
    if (entry.name === "node_modules" || entry.name.endsWith(".tsbuildinfo")) return [];
    return filesIn(join(path, entry.name));
  });
}
