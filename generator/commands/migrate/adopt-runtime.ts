import { dirname } from "node:path";
import { packageRoot } from "../../shared/package-root.js";
import { rangesOf } from "../../shared/project/package-json.js";
import { removeJsonMember, setJsonMember } from "./edit-json.js";
import type { PackageFile } from "./find-packages.js";
import { officialPackages } from "./official-packages.js";
import { entriesOf } from "./replace-packages.js";
import type { Source } from "./find-sources.js";

const sections = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;

/** Packages that rewritten code may import, and that a project may not have yet. */
const companions = ["zod", "hono", "express"] as const;

/**
 * Replaces the official packages that the sources of a package no longer import by the runtime, in the same sections.
 * @param sources all sources of the project
 * @param texts the sources after the rewrite, by path
 */
export function adoptRuntime(
  file: PackageFile,
  packages: readonly PackageFile[],
  sources: readonly Source[],
  texts: ReadonlyMap<string, string>,
): PackageFile {
  const own = sources.filter(({ path }) => ownerOf(path, packages) === file);
  const [before, after] = [own.map(({ text }) => text), own.map(({ path, text }) => texts.get(path) ?? text)];
  const { version } = packageRoot();
  let { text } = file;
  let section: string | undefined;
  for (const name of officialPackages.keys()) {
    if (!uses(before, name) || uses(after, name)) continue;
    for (const at of sections) {
      if (!entriesOf(file.manifest[at]).some(([one]) => one === name)) continue;
      text = setJsonMember(text, [at, "@mcpwright/runtime"], `^${version}`);
      text = removeJsonMember(text, [at, name]);
      section ??= at;
    }
  }
  if (section === undefined && !uses(after, "@mcpwright/runtime")) return file;
  const place = section ?? "dependencies";
  const has = (name: string): boolean =>
    sections.some((at) => entriesOf(parsed(text)[at]).some(([one]) => one === name));
  if (uses(after, "@mcpwright/runtime") && !has("@mcpwright/runtime"))
    text = setJsonMember(text, [place, "@mcpwright/runtime"], `^${version}`);
  if (uses(after, "@mcpwright/protocol") && !has("@mcpwright/protocol"))
    text = setJsonMember(text, [place, "@mcpwright/protocol"], `^${version}`);
  for (const name of companions)
    if (uses(after, name) && !has(name)) text = setJsonMember(text, [place, name], rangesOf([name])[name] ?? "*");
  for (const at of sections) {
    const range = entriesOf(parsed(text)[at]).find(([name]) => name === "zod")?.[1];
    if (range !== undefined && isOldZod(range))
      text = setJsonMember(text, [at, "zod"], rangesOf(["zod"])["zod"] ?? "^4.2.0");
  }
  return { ...file, text, manifest: parsed(text) };
}

/** The package whose folder is the nearest one around a file. */
function ownerOf(path: string, packages: readonly PackageFile[]): PackageFile | undefined {
  const around = packages.filter((one) => dirname(one.path) === "." || path.startsWith(`${dirname(one.path)}/`));
  return around.sort((a, b) => dirname(b.path).length - dirname(a.path).length)[0];
}

function uses(texts: readonly string[], name: string): boolean {
  return texts.some((text) => [`"${name}"`, `'${name}'`, `"${name}/`, `'${name}/`].some((one) => text.includes(one)));
}

/** The runtime reads schemas of zod from 4.2 on. */
function isOldZod(range: string): boolean {
  const [, major = "9", minor = "9"] = /^[\^~>=v ]*(\d+)(?:\.(\d+))?/.exec(range) ?? [];
  return Number(major) < 4 || (Number(major) === 4 && Number(minor) < 2 && !range.startsWith("^"));
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  return JSON.parse(text.replace(/^\uFEFF/, "")) as Readonly<Record<string, unknown>>;
}
