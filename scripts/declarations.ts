import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Entry } from "./entries.js";

/** The absolute paths of the declarations in a folder. */
function declarationsIn(dist: string): readonly string[] {
  return readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".d.ts"))
    .map((name) => join(dist, name));
}

/**
 * Rewrites declarations, which are most of the installed size, so that they take four fifths of the bytes with the same
 * meaning, and removes their source maps.
 */
export function trimDeclarations(dist: string): void {
  for (const path of declarationsIn(dist)) {
    const text = readFileSync(path, "utf8");
    const trimmed = trim(text);
    if (trimmed !== text) writeFileSync(path, trimmed);
  }
}

/** Links in the doc comments of message types. Users look up the methods, whose doc comments have more precise links. */
const messageLinks =
  /\n \* @see \S+\/specification\/\S+(?=\n \*\/\nexport (?:interface|type) \w+(?:Request|Notification|Params|Response)\b)/g;

const comments = /^[ \t]*\/\*\*(?:(?!\*\/)[^])*\*\/\n(?=([ \t]*protected )?)/gm;

/** The published text of a declaration file. */
export function trim(text: string): string {
  return (
    withShortAlias(text)
      .replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n")
      .replace(/^(?: {4})+/gm, (blanks) => "\t".repeat(blanks.length / 4))
      // Users of the package cannot call protected and internal members.
      .replace(comments, (text, isProtected) => (isProtected || text.includes("@internal") ? "" : text))
      .replace(/^export declare /gm, "export ")
      .replace(/^export function (is\w+)(\(value: unknown\)): (value is t\.\w+);$/gm, "export const $1: $2 => $3;")
      .replace(/\n \* @see \S+\/specification\/[\d-]+\/basic$/gm, "")
      .replace(messageLinks, "")
      .replace(/\/\*\*\n\s*\* /g, "/** ")
      .replace(/\n\s*\*\/$/gm, " */")
      .replace(/\{\n\s*(\[key: string\]: \w+);\n\s*\}/g, "{ $1 }")
      .replace(/^(export const \w+: \{\n)(\t+[^/].*\n)+\};$/gm, (type) => type.replace(/;?\n\t*(?=\})|\n\t*/g, " "))
      .replace(/(?:^export const \w+: [^\n{]*;\n){2,}/gm, (run) => run.replaceAll(";\nexport const ", ",\n"))
  );
}

function withShortAlias(text: string): string {
  const imported = /^import type \* as types from /m;
  return imported.test(text)
    ? text.replace(imported, "import type * as t from ").replace(/\btypes\.(?=[A-Z])/g, "t.")
    : text;
}

/** Absolute paths of the declarations that no entry reaches: users cannot name the types in them. */
export function unreachable(dist: string, entries: readonly Entry[]): readonly string[] {
  const reached = new Set<string>();
  const follow = (path: string): void => {
    if (reached.has(path) || !existsSync(path)) return;
    reached.add(path);
    for (const [, specifier] of readFileSync(path, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g))
      follow(resolve(dirname(path), `${specifier ?? ""}.d.ts`));
  };
  for (const { output } of entries) follow(output.replace(/\.js$/, ".d.ts"));
  return declarationsIn(dist).filter((path) => !reached.has(path));
}

/** Excludes files from the packed package; other projects of this repository still read them. */
export function removeDeclarations(dist: string, paths: readonly string[]): void {
  const names = paths.map((path) => relative(dist, path).split(sep).join("/")).sort();
  writeFileSync(join(dist, ".npmignore"), names.map((name) => `/${name}\n`).join(""));
}
