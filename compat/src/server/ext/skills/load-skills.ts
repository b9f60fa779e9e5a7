import type { Skill, SkillResourceEntry } from "../../../core/ext/skills.js";
import { SkillCatalogError } from "./catalog-error.js";
import { type Listed, listFiles, storageError } from "./list-files.js";
import { mimeTypeOf } from "./mime-types.js";
import type { OnWarning, SkillFiles } from "./options.js";
import { folderOf, nameOf } from "./relative-path.js";
import { toEntry, toResource } from "./skill-entry.js";
import { type LoadedFile, type LoadedSkill, type Snapshot, toSnapshot } from "./snapshot.js";
import { normalUri, uriBelow } from "./uris.js";

export interface LoadOptions {
  /** The names at the start of all paths. */
  readonly prefix: readonly string[];
  readonly limits: { readonly files: number; readonly bytes: number };
  readonly strict: boolean;
  readonly onWarning: OnWarning;
}

const manifest = "SKILL.md";
const notFollowed = "is a link or a special file; replace it by a copy of the file";

/**
 * Loads all skills: every folder with a `SKILL.md`, also inside of another skill.
 * @throws SkillCatalogError when the storage fails, and with `strict` when a skill is invalid
 */
export async function loadSkills(files: SkillFiles, options: LoadOptions): Promise<Snapshot> {
  const { prefix, limits, strict, onWarning } = options;
  const listed = await listFiles(files);
  const problems: Parameters<OnWarning>[0][] = [];
  const report: OnWarning = (problem) => {
    if (strict) problems.push(problem);
    else onWarning(problem);
  };
  const uriOf = (path: string): string => uriBelow("skill://", [...prefix, ...path.split("/")]);

  for (const { path, kind } of listed)
    if (kind === "file" && nameOf(path) !== manifest && nameOf(path).toLowerCase() === "skill.md")
      onWarning({ path, message: `is not a skill unless its name is ${manifest}, in this case; rename it` });

  const manifests = listed.filter(({ path, kind }) => kind !== "directory" && nameOf(path) === manifest);
  const inside = contentsOf(new Set(manifests.map(({ path }) => folderOf(path))), listed, ({ path }) =>
    report({ path, message: `${notFollowed}; it is left out` }),
  );

  const read = new Map<string, SkillResourceEntry>();
  const skills: LoadedSkill[] = [];
  for (const { path } of sortedByDepth(manifests)) {
    const folder = folderOf(path);
    if (folder === "") {
      report({ path, message: "must be in a folder that has the name of the skill; the file is left out" });
      continue;
    }
    const skill = await loadSkill(folder, inside.get(folder) ?? []);
    if (skill) skills.push(skill);
  }
  if (problems.length > 0) throw new SkillCatalogError(problems);
  if (skills.length === 0)
    onWarning({ path: ".", message: `there is nothing to serve: no folder has a valid ${manifest}` });
  return toSnapshot(skills, listed, uriOf);

  async function loadSkill(folder: string, contents: readonly Listed[]): Promise<LoadedSkill | undefined> {
    const skip = (path: string, message: string): void =>
      report({ path, message: `${message}; the skill is left out` });
    const special = contents.find(({ kind }) => kind === "unsupported");
    const unnamed = contents.find(({ path }) => !hasUri(path));
    if (special) skip(special.path, notFollowed);
    else if (unnamed) skip(unnamed.path, "cannot be part of a URI; rename it");
    if (special ?? unnamed) return undefined;

    const manifestPath = `${folder}/${manifest}`;
    const loaded: LoadedFile[] = [];
    let bytes: Uint8Array | undefined;
    for (const { path, kind } of contents) {
      if (kind !== "file") continue;
      let entry = path === manifestPath ? undefined : read.get(path);
      if (!entry) {
        const content = await contentOf(path);
        if (path === manifestPath) bytes = content;
        read.set(path, (entry = await toResource(uriOf(path), content)));
      }
      loaded.push({ ...entry, path, mimeType: mimeTypeOf(nameOf(path)) });
    }
    let skill: Skill;
    try {
      const resources = loaded.map(({ uri, digest, size }) => ({ uri, digest, size }));
      skill = toEntry(manifestPath, uriOf(manifestPath), bytes, resources);
    } catch (error) {
      if (!(error instanceof SkillCatalogError)) throw error;
      for (const { path, message } of error.problems) skip(path, message);
      return undefined;
    }
    const size = loaded.reduce((sum, file) => sum + file.size, 0);
    if (loaded.length > limits.files || size > limits.bytes)
      report({
        path: folder,
        message: `has ${loaded.length} files and ${size} bytes, more than the limits of ${limits.files} and ${limits.bytes}: hosts may refuse it`,
      });
    return { folder, entry: skill, files: loaded, folders: contents.filter(({ kind }) => kind === "directory") };
  }

  function hasUri(path: string): boolean {
    try {
      const uri = uriOf(path);
      return normalUri(uri) === uri;
    } catch (error) {
      if (error instanceof URIError) return false;
      throw error;
    }
  }

  async function contentOf(path: string): Promise<Uint8Array> {
    try {
      return await files.read(path);
    } catch (error) {
      throw storageError(path, "cannot be read", error);
    }
  }
}

/** Returns what is in the folder of each skill, at any depth. */
function contentsOf(
  folders: ReadonlySet<string>,
  listed: readonly Listed[],
  onSpecial: (file: Listed) => void,
): ReadonlyMap<string, readonly Listed[]> {
  const contents = new Map<string, Listed[]>();
  for (const file of listed) {
    let isInSkill = false;
    for (let folder = folderOf(file.path); folder !== ""; folder = folderOf(folder)) {
      if (!folders.has(folder)) continue;
      isInSkill = true;
      const known = contents.get(folder);
      if (known) known.push(file);
      else contents.set(folder, [file]);
    }
    if (file.kind === "unsupported" && !isInSkill && nameOf(file.path) !== manifest) onSpecial(file);
  }
  return contents;
}

/** Nested skills come before those that contain them. */
function sortedByDepth(files: readonly Listed[]): readonly Listed[] {
  const depthOf = ({ path }: Listed): number => path.split("/").length;
  return [...files].sort((one, other) => depthOf(other) - depthOf(one));
}
