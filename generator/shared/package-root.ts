import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface PackageRoot {
  readonly folder: string;
  readonly version: string;
}

let found: PackageRoot | undefined;

/** The folder of the `mcpwright` package: the same from source and from the published bundle. */
export function packageRoot(): PackageRoot {
  if (found) return found;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const manifest = readPackage(join(folder, "package.json"));
    if (manifest?.name === "mcpwright") return (found = { folder, version: manifest.version });
    if (folder === dirname(folder))
      throw new Error("the mcpwright package is incomplete: its package.json was not found");
  }
}

function readPackage(path: string): { readonly name?: string; readonly version: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as { name?: string; version: string };
  } catch {
    return undefined;
  }
}
