import type { Skill, SkillFrontmatter } from "@mcpwright/protocol/extensions/skills";
import type { Resource } from "../../authoring.js";
import { directoryMimeType } from "./mime-types.js";

/** A file as it was when the skills were loaded. */
export interface LoadedFile {
  readonly path: string;
  readonly uri: string;
  readonly size: number;
  readonly version: string | undefined;
  readonly digest: string;
  readonly mimeType: string;
  /** The text of a `SKILL.md`. */
  readonly text?: string | undefined;
}

/** A skill that is valid. */
export interface LoadedSkill {
  /** The path of its folder. */
  readonly folder: string;
  readonly entry: Skill & { readonly frontmatter: SkillFrontmatter };
  readonly files: readonly LoadedFile[];
}

/** Everything that a catalog serves at one moment. */
export interface Snapshot {
  /** Sorted by URI. */
  readonly skills: readonly Skill[];
  readonly skillOf: ReadonlyMap<string, Skill>;
  readonly fileOf: ReadonlyMap<string, LoadedFile>;
  /** The direct children of each directory, by its URI, and sorted by theirs. */
  readonly directories: ReadonlyMap<string, readonly Resource[]>;
  /** All files, sorted by URI. */
  readonly resources: readonly Resource[];
}

/** @param uriOf returns the URI of a file or folder */
export function toSnapshot(loaded: readonly LoadedSkill[], uriOf: (path: string) => string): Snapshot {
  const skillOf = new Map(loaded.map(({ entry }) => [entry.uri, entry]));
  const fileOf = new Map(loaded.flatMap(({ files }) => files.map((file) => [file.uri, file] as const)));
  const directories = new Map<string, Map<string, Resource>>();
  const described = [...fileOf.values()].map((file) => {
    const { uri, path, mimeType, size } = file;
    // Files of a skill that is nested in another are files of both, and described as those of its own.
    const { name = nameOf(path), description } = skillOf.get(uri)?.frontmatter ?? {};
    return { path, resource: { uri, name, ...(description !== undefined && { description }), mimeType, size } };
  });
  for (const { path: file, resource } of described) {
    let child: Resource = resource;
    for (let path = file; path.includes("/");) {
      path = path.slice(0, path.lastIndexOf("/"));
      const uri = uriOf(path);
      const children = directories.get(uri);
      directories.set(uri, (children ?? new Map<string, Resource>()).set(child.uri, child));
      if (children) break;
      child = { uri, name: nameOf(path), mimeType: directoryMimeType };
    }
  }
  return {
    skills: byUri([...skillOf.values()]),
    skillOf,
    fileOf,
    directories: new Map([...directories].map(([uri, children]) => [uri, byUri([...children.values()])])),
    resources: byUri(described.map(({ resource }) => resource)),
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function byUri<Item extends { readonly uri: string }>(items: Item[]): readonly Item[] {
  return items.sort((one, other) => (one.uri < other.uri ? -1 : one.uri > other.uri ? 1 : 0));
}
