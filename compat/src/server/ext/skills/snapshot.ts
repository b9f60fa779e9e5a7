import { DIRECTORY_MIME_TYPE, type Skill, type SkillResourceEntry } from "../../../core/ext/skills.js";
import type { Resource } from "../../../types/index.js";
import type { Listed } from "./list-files.js";
import type { SkillCatalogChanges } from "./options.js";
import { folderOf, nameOf } from "./relative-path.js";
import { sortedBy } from "./uris.js";

/** A file of a skill, as it was when the skills were loaded. */
export interface LoadedFile extends SkillResourceEntry {
  readonly path: string;
  readonly mimeType: string;
}

export interface LoadedSkill {
  readonly folder: string;
  readonly entry: Skill;
  readonly files: readonly LoadedFile[];
  /** The folders in its folder, at any depth. */
  readonly folders: readonly Listed[];
}

/** Everything that a catalog serves at one moment. */
export interface Snapshot {
  /** Sorted by URI. */
  readonly skills: readonly Skill[];
  readonly files: ReadonlyMap<string, LoadedFile>;
  /** The children of each directory, by its URI, and sorted by theirs. */
  readonly directories: ReadonlyMap<string, readonly Resource[]>;
  /** The `SKILL.md` files, sorted by URI. */
  readonly resources: readonly Resource[];
}

export function toSnapshot(
  loaded: readonly LoadedSkill[],
  listed: readonly Listed[],
  uriOf: (path: string) => string,
): Snapshot {
  const files = new Map(loaded.flatMap((skill) => skill.files.map((file) => [file.path, file] as const)));
  const folders = new Set(loaded.flatMap(({ folder, folders }) => [folder, ...folders.map(({ path }) => path)]));
  const directories = new Map<string, Resource[]>([...folders].map((path) => [path, []]));
  for (const { path, kind } of listed) {
    const name = nameOf(path);
    const file = files.get(path);
    const child = file && { uri: file.uri, name, mimeType: file.mimeType, size: file.size };
    const resource = kind === "directory" ? { uri: uriOf(path), name, mimeType: DIRECTORY_MIME_TYPE } : child;
    if (resource) directories.get(folderOf(path))?.push(resource);
  }
  const skills = sortedBy(loaded, ({ entry }) => entry.uri);
  const entries = skills.map(({ entry }) => entry);
  freeze(entries);
  return {
    skills: entries,
    files: new Map([...files.values()].map((file) => [file.uri, file])),
    directories: new Map(
      [...directories].map(([path, children]) => [uriOf(path), sortedBy(children, ({ uri }) => uri)]),
    ),
    resources: skills.map(({ entry: { uri, frontmatter }, folder }) => ({
      uri,
      name: frontmatter.name,
      description: frontmatter.description,
      mimeType: "text/markdown",
      size: files.get(`${folder}/SKILL.md`)?.size ?? 0,
    })),
  };
}

export function changesOf(last: Snapshot, next: Snapshot): SkillCatalogChanges {
  const before = new Map(last.skills.map((skill) => [skill.uri, JSON.stringify(skill)]));
  const after = new Map(next.skills.map((skill) => [skill.uri, JSON.stringify(skill)]));
  const shown = ({ resources }: Snapshot): string =>
    JSON.stringify(resources.map(({ uri, name, description }) => [uri, name, description]));
  return {
    added: [...after.keys()].filter((uri) => !before.has(uri)),
    removed: [...before.keys()].filter((uri) => !after.has(uri)),
    changed: [...after].filter(([uri, text]) => before.has(uri) && before.get(uri) !== text).map(([uri]) => uri),
    listChanged: shown(last) !== shown(next),
  };
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  for (const member of Object.values(Object.freeze(value) as Record<string, unknown>)) freeze(member);
}
