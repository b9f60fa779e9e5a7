import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

/** A hand-written TypeScript file or template of one. */
export interface Source {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** A folder whose sources are counted, subfolders included. */
interface Area {
  readonly folder: string;
  readonly extension: ".ts" | ".ts.hbs";
  /** Which paths below the folder to count. Default: all. */
  readonly paths?: RegExp;
}

/** The code in programs that log in, besides `core`. */
export const authorization: readonly Area[] = [{ folder: "runtime/src", extension: ".ts", paths: /^auth[./-]/ }];

/** The code in users' programs that is not generated from a schema. */
export const core: readonly Area[] = [
  { folder: "runtime/src", extension: ".ts", paths: /^(?!auth[./-])/ },
  { folder: "generator/pipeline/conversions/functions", extension: ".ts" },
  { folder: "templates/package", extension: ".ts.hbs" },
  { folder: "templates/revision", extension: ".ts.hbs" },
  { folder: "templates/shared", extension: ".ts.hbs" },
];

export function sourcesOf({ folder, extension, paths = /^/ }: Area): readonly Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => paths.test(withSlashes(join(root, folder), path)))
    .sort()
    .map((path) => ({ path: withSlashes(root, path), text: readFileSync(path, "utf8") }));
}

function withSlashes(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}
