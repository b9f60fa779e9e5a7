import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder for code that engines generate before they run; git ignores it. */
export const builtFolder = new URL("../../dist/", import.meta.url);

export function writeBuilt(name: string, text: string): URL {
  const file = new URL(name, builtFolder);
  mkdirSync(dirname(fileURLToPath(file)), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Writes a module and imports it. */
export async function importBuilt(name: string, code: string): Promise<Readonly<Record<string, unknown>>> {
  return (await import(writeBuilt(name, code).href)) as Readonly<Record<string, unknown>>;
}
