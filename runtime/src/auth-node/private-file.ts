import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readdir, realpath, rename, rm, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AuthorizationError } from "../auth.js";
import { hasCode } from "./store-failure.js";

/** Creates the folder of a file, for this user only. @returns the path without symbolic links, so that all processes lock the same one */
export async function resolvePrivatePath(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return await realpath(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    return join(await realpath(dirname(path)), basename(path));
  }
}

/**
 * Reads a file that only this user may read; undefined when it does not exist.
 * @throws AuthorizationError `store-failed` when it belongs to another user, or others may read it; errors of Node
 */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  let file: FileHandle;
  try {
    // Without this flag, a named pipe would keep `open` waiting.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    await assertPrivate(path, file);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

async function assertPrivate(path: string, file: FileHandle): Promise<void> {
  const stats = await file.stat();
  if (!stats.isFile())
    throw new AuthorizationError(
      "store-failed",
      `${path} is not a file; choose the path of a file for the credentials`,
    );
  const user = process.getuid?.();
  // Windows has access lists instead; the folders of a user are private there.
  if (user === undefined) return;
  if (stats.uid !== user)
    throw new AuthorizationError(
      "store-failed",
      `${path} belongs to another user (id ${stats.uid}), who can read the credentials; choose another path`,
    );
  if ((stats.mode & 0o077) !== 0)
    throw new AuthorizationError(
      "store-failed",
      `other users may read or write ${path}; run: chmod 600 '${path.replaceAll("'", "'\\''")}'`,
    );
}

/**
 * Replaces a file as a whole: others read the old or the new content, also after a crash. The caller must have the lock of the file.
 * @param beforeRename called when everything is written; throws to keep the old content
 * @throws errors of Node, and those of `beforeRename`; the old content is unchanged then
 */
export async function replacePrivateFile(path: string, text: string, beforeRename: () => Promise<void>): Promise<void> {
  const temporary = `${path}.new-${randomUUID()}`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await beforeRename();
    await renameOver(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Removes what writers left that were killed. The caller must have the lock of the file. */
export async function removeUnfinishedFiles(path: string): Promise<void> {
  const start = `${basename(path)}.new-`;
  const names = await readdir(dirname(path));
  await Promise.all(
    names.filter((name) => name.startsWith(start)).map((name) => rm(join(dirname(path), name), { force: true })),
  );
}

/** On Windows, a file cannot be replaced while another process has it open, which takes milliseconds. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let tries = 0; ; tries++)
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (process.platform !== "win32" || tries === 20 || !hasCode(error, "EPERM", "EACCES", "EBUSY")) throw error;
      await sleep(10 + tries * 5);
    }
}

/** Makes the new name survive a power failure. Windows and some file systems cannot do this for folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } catch (error) {
    if (!hasCode(error, "EINVAL", "ENOTSUP", "EPERM", "EBADF", "EISDIR")) throw error;
  } finally {
    await handle.close();
  }
}
