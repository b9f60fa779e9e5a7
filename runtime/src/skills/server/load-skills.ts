import { isObject } from "../../jsonrpc/guards.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { checkSkill, type SkillLimits } from "../rules/check-skill.js";
import { digestOf } from "../rules/digest.js";
import { mimeTypeOf } from "./mime-types.js";
import type { ParseFrontmatter } from "../rules/parse-frontmatter.js";
import { readFrontmatter } from "./read-frontmatter.js";
import type { SkillFile, SkillFileProblem, SkillFiles } from "./skill-files.js";
import type { LoadedFile, LoadedSkill } from "./snapshot.js";
import { textOf } from "./text-of.js";

export interface LoadOptions {
  readonly parseFrontmatter: ParseFrontmatter;
  readonly limits: SkillLimits;
  readonly allowDuplicateNames: boolean;
  /** Returns the URI of a file or folder. @throws URIError for a path that cannot be encoded */
  readonly uriOf: (path: string) => string;
}

export interface Loaded {
  readonly skills: readonly LoadedSkill[];
  readonly problems: readonly SkillFileProblem[];
  /** The skills that are missing because files have changed since they were listed. */
  readonly stale: readonly SkillFileProblem[];
}

const manifest = "SKILL.md";
const reservedPrefix = "io.modelcontextprotocol/";

/**
 * Reads all skills: every folder with a `SKILL.md`, also inside of another skill (SEP-2640, nested skills).
 * @param before the files of the last time; those with the same version are not read again
 */
export async function loadSkills(
  source: SkillFiles,
  options: LoadOptions,
  before: ReadonlyMap<string, LoadedFile> = new Map(),
): Promise<Loaded> {
  const { files, problems: unreadable } = await source.list();
  const problems = [...unreadable];
  const folders = files.flatMap(({ path }) =>
    path.endsWith(`/${manifest}`) ? [path.slice(0, -manifest.length - 1)] : [],
  );
  problems.push(...misplaced(files, folders));
  const stale: SkillFileProblem[] = [];
  const known = new Map<string, LoadedFile | undefined>();
  const skills: LoadedSkill[] = [];
  for (const folder of folders.sort()) {
    const own = files.filter(({ path }) => path.startsWith(`${folder}/`));
    const isBroken = unreadable.some(({ path }) => path === folder || path.startsWith(`${folder}/`));
    const loaded = isBroken ? null : await loadSkill(folder, own);
    if (!loaded) continue;
    const { name } = loaded.entry.frontmatter;
    const twin = skills.find(({ entry }) => entry.frontmatter.name === name);
    if (twin && !options.allowDuplicateNames)
      problems.push({
        path: folder,
        message: `${twin.folder} has the name ${name}, too; rename one of them, or set allowDuplicateNames`,
      });
    else skills.push(loaded);
  }
  return { skills, problems, stale };

  async function loadSkill(folder: string, own: readonly SkillFile[]): Promise<LoadedSkill | null> {
    const wrong = (message: string, path = folder, line?: number): null => {
      problems.push({ path, message, ...(line !== undefined && { line }) });
      return null;
    };
    const { limits } = options;
    if (own.length > limits.files) return wrong(`has ${own.length} files; a skill has at most ${limits.files}`);
    const bytes = own.reduce((sum, { size }) => sum + size, 0);
    if (bytes > limits.bytes) return wrong(`has ${bytes} bytes; a skill has at most ${limits.bytes}`);
    const unnamed = own.find(({ path }) => !hasUri(path));
    if (unnamed) return wrong("its path cannot be part of a URI; rename it", unnamed.path);

    let loaded: readonly LoadedFile[];
    try {
      loaded = (await Promise.all(own.map(load))).filter((file) => file !== undefined);
    } catch (error) {
      return wrong(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    const path = `${folder}/${manifest}`;
    const first = loaded.find((file) => file.path === path);
    if (!first || loaded.length < own.length) {
      stale.push({ path: folder, message: "its files changed or were gone while they were read; load it again" });
      return null;
    }
    const read = readFrontmatter(first.text, options.parseFrontmatter);
    if ("problem" in read) return wrong(read.problem.message, path, read.problem.line);
    const { frontmatter } = read;
    const resources = loaded.map(({ uri, digest, size }) => ({ uri, digest, size }));
    const entry = { uri: first.uri, frontmatter, resources } as LoadedSkill["entry"];
    const found = checkSkill(entry, limits);
    for (const { message } of found) wrong(message, path);
    const { metadata } = frontmatter;
    const reserved = isObject(metadata) && Object.keys(metadata).find((key) => key.startsWith(reservedPrefix));
    if (reserved) wrong(`metadata has the key ${reserved}; keys that begin with ${reservedPrefix} are reserved`, path);
    return found.length > 0 || reserved ? null : { folder, entry, files: loaded };
  }

  function hasUri(path: string): boolean {
    try {
      const uri = options.uriOf(path);
      return parseUrl(uri)?.href === uri;
    } catch {
      return false;
    }
  }

  async function load(file: SkillFile): Promise<LoadedFile | undefined> {
    const { path, version } = file;
    if (known.has(path)) return known.get(path);
    const uri = options.uriOf(path);
    const last = before.get(uri);
    const isSame = last && version !== undefined && last.version === version && last.size === file.size;
    const loaded = isSame ? last : await read(file, uri);
    known.set(path, loaded);
    return loaded;
  }

  async function read({ path, version }: SkillFile, uri: string): Promise<LoadedFile | undefined> {
    const bytes = await source.read(path, options.limits.bytes);
    if (!bytes) return undefined;
    const isManifest = path.endsWith(`/${manifest}`);
    const text = textOf(bytes);
    const mimeType = mimeTypeOf(path, text !== undefined);
    const digest = await digestOf(bytes);
    return { path, uri, size: bytes.length, version, digest, mimeType, ...(isManifest && { text }) };
  }
}

/** What looks like a skill and is none. */
function misplaced(files: readonly SkillFile[], folders: readonly string[]): readonly SkillFileProblem[] {
  const atTop = files.filter(({ path }) => path === manifest);
  const without = new Map<string, SkillFile>();
  for (const file of files) {
    const names = file.path.split("/").slice(0, -1);
    const paths = names.map((_, index) => names.slice(0, index + 1).join("/"));
    if (folders.some((folder) => paths.includes(folder))) continue;
    const outside = paths.find((path) => !folders.some((folder) => folder.startsWith(`${path}/`)));
    if (outside !== undefined && (!without.has(outside) || /\/skill\.md$/i.test(file.path))) without.set(outside, file);
  }
  return [
    ...atTop.map(({ path }) => ({ path, message: "put it into a folder that has the name of the skill" })),
    ...[...without].map(([path, file]) => ({
      path,
      message: /\/skill\.md$/i.test(file.path)
        ? `has no ${manifest}; rename ${file.path}`
        : `has no ${manifest}; add one, or move the folder elsewhere`,
    })),
  ];
}
