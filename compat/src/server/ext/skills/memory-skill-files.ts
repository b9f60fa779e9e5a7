import { bytesOf } from "./content.js";
import type { SkillFileEntry, SkillFiles } from "./options.js";
import { namesOf } from "./relative-path.js";

interface Index {
  /** The children of each folder, by name. */
  readonly folders: ReadonlyMap<string, ReadonlyMap<string, SkillFileEntry["kind"]>>;
  /** The keys of the files, by normal path. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Skills from strings and bytes. The object is read again whenever the root is listed.
 * @param files by path, such as `git-workflow/SKILL.md`
 */
export function memorySkillFiles(files: Record<string, string | Uint8Array>): SkillFiles {
  let index: Index | undefined;
  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- invalid paths reject
    async list(dir) {
      if (dir === "") index = toIndex(Object.keys(files));
      index ??= toIndex(Object.keys(files));
      const children = index.folders.get(dir);
      if (!children && dir !== "") throw new Error(`no such directory: ${dir}`);
      return [...(children ?? [])].map(([name, kind]) => ({ name, kind }));
    },
    // eslint-disable-next-line @typescript-eslint/require-await -- invalid paths reject
    async read(path) {
      index ??= toIndex(Object.keys(files));
      const key = Object.hasOwn(files, path) ? path : index.files.get(path);
      const content = key === undefined || !Object.hasOwn(files, key) ? undefined : files[key];
      if (content === undefined) throw new Error(`no such file: ${path}`);
      return bytesOf(content);
    },
  };
}

function toIndex(keys: readonly string[]): Index {
  const folders = new Map<string, Map<string, SkillFileEntry["kind"]>>();
  const files = new Map<string, string>();
  for (const key of keys) {
    const names = namesOf(key, "file path");
    for (const [depth, name] of names.entries()) {
      const folder = names.slice(0, depth).join("/");
      const children = folders.get(folder) ?? new Map<string, SkillFileEntry["kind"]>();
      folders.set(folder, children.set(name, depth < names.length - 1 ? "directory" : "file"));
    }
    files.set(names.join("/"), key);
  }
  return { folders, files };
}
