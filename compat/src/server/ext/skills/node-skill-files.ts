import { constants } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { SkillFiles } from "./options.js";
import { namesOf } from "./relative-path.js";

/**
 * Skills from a folder. Links and special files are listed as unsupported, and cannot be read.
 * @param root a relative path is relative to the working directory of the process
 */
export function nodeSkillFiles(root: string): SkillFiles {
  const base = resolve(root);

  /** @throws TypeError for a path that leads out of the folder */
  function pathOf(path: string): string {
    const names = path === "" ? [] : namesOf(path, "path");
    const full = join(base, ...names);
    if (names.some((name) => name.split(sep).includes("..")) || !isInside(base, full)) throw outside(path);
    return full;
  }

  /** @throws TypeError when a folder on the way is a link that leads out of the folder */
  async function assertReallyInside(path: string, full: string): Promise<void> {
    if (!isInside(await realpath(base), await realpath(full))) throw outside(path);
  }

  return {
    async list(dir) {
      const full = pathOf(dir);
      const children = await readdir(full, { withFileTypes: true });
      await assertReallyInside(dir, full);
      return children.map((child) => ({
        name: child.name,
        kind: child.isFile() ? "file" : child.isDirectory() ? "directory" : "unsupported",
      }));
    },
    async read(path) {
      const full = pathOf(path);
      // Windows has neither flag. Opening a pipe would wait for its writer.
      const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
      const handle = await open(full, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        if (!(await handle.stat()).isFile()) throw new Error(`${path} is not a regular file`);
        await assertReallyInside(path, full);
        return new Uint8Array(await handle.readFile());
      } finally {
        await handle.close();
      }
    },
  };
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function outside(path: string): TypeError {
  return new TypeError(`path must be a relative path in the folder of skills, not ${JSON.stringify(path)}`);
}
