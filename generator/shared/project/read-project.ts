import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { errnoText } from "../files/file-errors.js";
import { isObject } from "../is-object.js";
import { unscoped } from "./package-name.js";

/** The `package.json` of a project. */
export interface ProjectManifest {
  readonly path: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** The reason follows the path in a sentence: `package.json is not an object`. */
export type ReadProject =
  | ({ readonly kind: "read" } & ProjectManifest)
  | { readonly kind: "unusable"; readonly path: string; readonly reason: string };

/** Reads the `package.json` of a folder. Throws nothing, because each command has its own remedy. */
export function readProject(folder: string): ReadProject {
  const path = join(folder, "package.json");
  const unusable = (reason: string): ReadProject => ({ kind: "unusable", path, reason });
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    return error instanceof SyntaxError
      ? unusable(`is not valid JSON: ${error.message}`)
      : unusable(`cannot be read: ${errnoText(error) ?? String(error)}`);
  }
  return isObject(content) ? { kind: "read", path, content } : unusable("is not an object");
}

/** The file that starts the server of a project; `missing` if the project is not built. */
export type ServerEntry = { readonly kind: "found" | "missing"; readonly path: string } | { readonly kind: "unknown" };

/**
 * Finds the file that starts the server: that of `bin`, the one that `npm start` runs, `main`, or `main.js` in the
 * usual output folders.
 */
export function findServerEntry(folder: string, content: ProjectManifest["content"]): ServerEntry {
  const named =
    binOf(content) ?? startOf(content) ?? (typeof content["main"] === "string" ? content["main"] : undefined);
  if (named !== undefined) {
    const path = join(folder, named);
    return { kind: isFile(path) ? "found" : "missing", path };
  }
  const built = ["build", "dist"].map((output) => join(folder, output, "main.js")).find(isFile);
  return built === undefined ? { kind: "unknown" } : { kind: "found", path: built };
}

function binOf({ bin, name }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof bin === "string") return bin;
  if (!isObject(bin)) return undefined;
  const files = Object.values(bin).filter((file) => typeof file === "string");
  const own = typeof name === "string" ? bin[unscoped(name)] : undefined;
  if (typeof own === "string") return own;
  return files.length === 1 ? files[0] : undefined;
}

/** The file of `"start": "node build/main.js"`. */
function startOf({ scripts }: Readonly<Record<string, unknown>>): string | undefined {
  const start = isObject(scripts) ? scripts["start"] : undefined;
  return typeof start === "string" ? /^node ([\w./-]+\.[cm]?js)$/.exec(start.trim())?.[1] : undefined;
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
