import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isObject } from "../../shared/is-object.js";
import { blankComments } from "../../shared/json/json-comments.js";

/** The most configurations that extend each other. */
const maxDepth = 20;

/** The nearest `tsconfig.json` above a file; undefined if there is none up to `folder`. */
export function findTsconfig(file: string, folder: string): string | undefined {
  for (let at = dirname(file); ; at = dirname(at)) {
    const path = join(at, "tsconfig.json");
    if (existsSync(path)) return path;
    if (at === folder || at === dirname(at)) return undefined;
  }
}

/** The compiler options of a configuration with those that it extends. Files that cannot be read count as empty: tsc reports them. */
export function compilerOptions(path: string, depth = 0): Readonly<Record<string, unknown>> {
  const config = readJson(path);
  const bases = [config["extends"]].flat().filter((one) => typeof one === "string");
  const inherited = depth < maxDepth ? bases.map((base) => compilerOptions(basePath(base, path), depth + 1)) : [];
  const own = config["compilerOptions"];
  return Object.assign({}, ...inherited, isObject(own) ? own : {}) as Readonly<Record<string, unknown>>;
}

function basePath(base: string, from: string): string {
  if (base.startsWith(".") || isAbsolute(base)) {
    const path = resolve(dirname(from), base);
    return path.endsWith(".json") ? path : `${path}.json`;
  }
  for (const name of [base, `${base}.json`, `${base}/tsconfig.json`]) {
    try {
      return createRequire(from).resolve(name);
    } catch {
      // One of the three.
    }
  }
  return base;
}

function readJson(path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(blankComments(readFileSync(path, "utf8")));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
