/** A folder in which the named programs of the documents run as written, as in the project of a reader. */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { expect } from "vitest";
import { root } from "../cli/command-line.js";
import { put } from "../generator/shared/files/sandbox.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** @param packages that the programs import besides ours */
export function guideFolder(packages: readonly string[]): string {
  const folder = temporaryFolder("guides");
  for (const name of ["@mcpwright/protocol", "@mcpwright/runtime", "mcpwright", ...packages]) {
    mkdirSync(join(folder, "node_modules", name, ".."), { recursive: true });
    symlinkSync(name === "mcpwright" ? root : join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  put(folder, { "package.json": JSON.stringify({ private: true, type: "module" }) });
  return folder;
}

/**
 * Writes a program of a page, with other values for what differs here; each of them must be in it. @returns its path
 * @param always values that are replaced where they are
 */
export async function writeProgram(
  folder: string,
  page: string,
  name: string,
  values: Readonly<Record<string, string>> = {},
  always: Readonly<Record<string, string>> = {},
): Promise<string> {
  const text = readFileSync(join(root, "docs", page), "utf8");
  const [, code] = new RegExp(`^\`\`\`ts\\n(// ${name}\\.ts\\n.*?)^\`\`\``, "ms").exec(text) ?? [];
  if (code === undefined) throw new Error(`${page} has no ${name}.ts`);
  for (const written of Object.keys(values)) expect(code).toContain(written);
  const changed = Object.entries({ ...always, ...values }).reduce(
    (all, [written, here]) => all.replaceAll(written, here),
    code,
  );
  put(folder, { [`${name}.js`]: (await transform(changed, { loader: "ts" })).code });
  return join(folder, `${name}.js`);
}
