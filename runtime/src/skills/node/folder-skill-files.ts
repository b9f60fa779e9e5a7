import { constants, type FSWatcher, watch, type Stats } from "node:fs";
import { lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SdkError } from "../../jsonrpc/errors.js";
import { resolveInside } from "../../node/resolve-inside.js";
import type { SkillFile, SkillFileProblem, SkillFiles } from "../../skills.js";

const mostFiles = 100_000;
/** Editors write a file in several steps. */
const quietMs = 100;

/**
 * The files in a folder, for `SkillCatalog.load`. Names that begin with a dot are left out. Links are followed if they stay in the
 * folder; others are problems.
 */
export function folderSkillFiles(folder: string | URL): SkillFiles {
  const root = typeof folder === "string" ? folder : fileURLToPath(folder);
  return {
    async list() {
      const files: SkillFile[] = [];
      const problems: SkillFileProblem[] = [];
      await walk(await realRoot(root), "", { files, problems }, []);
      return { files, problems };
    },
    async read(path, mostBytes) {
      const file = await resolveInside(root, path);
      if (file === undefined) return undefined;
      // The file may be another one since it was resolved; opening a pipe would wait for its writer.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      const handle = await open(file, flags).catch(ignoreGone);
      if (!handle) return undefined;
      try {
        const facts = await handle.stat();
        return facts.isFile() && facts.size <= mostBytes ? new Uint8Array(await handle.readFile()) : undefined;
      } finally {
        await handle.close();
      }
    },
    watch(changed, onerror) {
      let timer: NodeJS.Timeout | undefined;
      const watcher = watchFolder(root, () => {
        clearTimeout(timer);
        timer = setTimeout(changed, quietMs).unref();
      });
      watcher.on("error", onerror);
      return () => {
        clearTimeout(timer);
        watcher.close();
      };
    },
  };

  interface Found {
    readonly files: SkillFile[];
    readonly problems: SkillFileProblem[];
  }

  /** @param above the real paths of the folders that contain this one */
  async function walk(real: string, path: string, found: Found, above: readonly string[]): Promise<void> {
    for (const { name } of await readdir(real, { withFileTypes: true })) {
      if (name.startsWith(".")) continue;
      const below = path === "" ? name : `${path}/${name}`;
      const wrong = (message: string): void => void found.problems.push({ path: below, message });
      try {
        const entry = await resolveEntry(join(real, name), wrong);
        if (!entry) continue;
        if (entry.facts.isFile()) {
          if (found.files.length === mostFiles) throw tooMany(root);
          const { size, mtimeMs, ctimeMs, ino } = entry.facts;
          found.files.push({ path: below, size, version: `${mtimeMs} ${ctimeMs} ${ino}` });
        } else if (!entry.facts.isDirectory()) wrong("is neither a file nor a folder; move it elsewhere");
        else if ([...above, real].includes(entry.real)) wrong("is a link to a folder that contains it; remove it");
        else await walk(entry.real, below, found, [...above, real]);
      } catch (error) {
        if (error instanceof SdkError) throw error;
        wrong(`cannot be read: ${(error as Error).message}`);
      }
    }
  }

  async function resolveEntry(
    path: string,
    wrong: (message: string) => void,
  ): Promise<{ readonly real: string; readonly facts: Stats } | undefined> {
    const facts = await lstat(path).catch(ignoreGone);
    if (!facts?.isSymbolicLink()) return facts && { real: path, facts };
    const real = await resolveInside(root, path);
    if (real !== undefined) return { real, facts: await stat(real) };
    wrong("is a link that leads out of the folder, or nowhere; replace it by a copy");
    return undefined;
  }
}

/** @throws SdkError `INVALID_CONFIGURATION` when it is not a folder that can be read */
async function realRoot(root: string): Promise<string> {
  try {
    const real = await realpath(root);
    if ((await stat(real)).isDirectory()) return real;
  } catch (cause) {
    throw unreadable("read", cause);
  }
  throw new SdkError("INVALID_CONFIGURATION", `${root} is not a folder; pass the folder that contains the skills`);
}

/** @throws SdkError `INVALID_CONFIGURATION` when it cannot be watched */
function watchFolder(root: string, changed: () => void): FSWatcher {
  try {
    return watch(root, { recursive: true, persistent: false }, changed);
  } catch (cause) {
    throw unreadable("watched", cause);
  }
}

function unreadable(action: string, cause: unknown): SdkError {
  const message = `the folder of skills cannot be ${action}: ${(cause as Error).message}`;
  return new SdkError("INVALID_CONFIGURATION", message, undefined, { cause });
}

function tooMany(root: string): SdkError {
  const message = `${root} contains more than ${mostFiles} files; pass the folder that contains only the skills`;
  return new SdkError("INVALID_CONFIGURATION", message);
}

/** A file can be removed, or replaced by a link, at any time. */
function ignoreGone(error: unknown): undefined {
  if (["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
  throw error;
}
