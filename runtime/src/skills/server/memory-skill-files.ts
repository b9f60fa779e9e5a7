import type { SkillFiles } from "./skill-files.js";

/**
 * Skills from strings and bytes, for hosts without a file system. The object is read again whenever the skills are loaded.
 * @param files by path, such as `git-workflow/SKILL.md`
 */
export function memorySkillFiles(files: Readonly<Record<string, string | Uint8Array>>): SkillFiles {
  const bytesOf = (content: string | Uint8Array): Uint8Array =>
    typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  return {
    list() {
      const paths = Object.keys(files);
      const isPlain = (path: string): boolean =>
        path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
      return Promise.resolve({
        files: paths.filter(isPlain).map((path) => ({ path, size: bytesOf(files[path] ?? "").length })),
        problems: paths
          .filter((path) => !isPlain(path))
          .map((path) => ({ path, message: 'a path has names separated by "/", none of them empty, "." or ".."' })),
      });
    },
    read(path) {
      const content = Object.hasOwn(files, path) ? files[path] : undefined;
      return Promise.resolve(content === undefined ? undefined : bytesOf(content));
    },
  };
}
