import { createHash } from "node:crypto";
import { rename } from "node:fs/promises";
import { resolve } from "node:path";
import { AuthorizationError, type CredentialStore } from "../auth.js";
import { assertNumberOptions } from "../options/assert-options.js";
import { lockFolder, type FileLock } from "./file-lock.js";
import { readPrivateFile, removeUnfinishedFiles, replacePrivateFile, resolvePrivatePath } from "./private-file.js";
import { formatRecords, parseRecords, type Records } from "./store-records.js";
import { storeFailure } from "./store-failure.js";

export interface FileCredentialStoreOptions {
  /** Milliseconds to wait for another process that uses the file or refreshes a token. Default: 60,000. */
  readonly lockTimeoutMs?: number;
  /**
   * Milliseconds after which the lock of a process is taken over that shows no sign of life, for example because it was killed on
   * another machine. The lock of a process that has ended on this machine is taken over at once. Default: 30,000.
   */
  readonly staleLockMs?: number;
  /** Receives problems that do not fail a call, such as a corrupt file. Default: `process.emitWarning`. */
  readonly onerror?: (error: Error) => void;
}

/** A process that was suspended for longer than `staleLockMs` has lost its lock, and has to start again. */
class LostLock extends Error {}

/**
 * Keeps credentials in one JSON file that only the user can read (mode 0600, in a folder with mode 0700). Any number of
 * processes may use the file at the same time: writes replace it as a whole under a lock, and `withLock` makes two processes that
 * find an expired token refresh it once.
 *
 * The content is not encrypted. A file that other users can read, or that belongs to another user, is refused. On Windows, the
 * access list of the folder decides. A corrupt file is renamed to `<path>.corrupt-<time>` and reported; the user logs in again.
 *
 * All methods reject with an AuthorizationError, `store-failed`, when the file cannot be read, locked or written; the old content
 * stays.
 * @example
 * ```ts
 * const store = new FileCredentialStore(join(homedir(), ".config", "my-app", "credentials.json"));
 * const authProvider = new InteractiveProvider({ clientName: "My app", store });
 * ```
 */
export class FileCredentialStore implements CredentialStore {
  /** The absolute path of the file. */
  readonly path: string;
  readonly #lockTimeoutMs: number;
  readonly #staleLockMs: number;
  readonly #onerror: (error: Error) => void;
  /** The latest change of this object; the next one waits for it instead of polling the lock. */
  #changes: Promise<unknown> = Promise.resolve();

  constructor(path: string, options: FileCredentialStoreOptions = {}) {
    assertNumberOptions(options);
    const { lockTimeoutMs = 60_000, staleLockMs = 30_000, onerror } = options;
    this.path = resolve(path);
    this.#lockTimeoutMs = lockTimeoutMs;
    this.#staleLockMs = staleLockMs;
    this.#onerror = onerror ?? ((error) => process.emitWarning(error));
  }

  async get(key: string): Promise<string | undefined> {
    try {
      const { records } = parseRecords(this.path, await readPrivateFile(this.path));
      if (records) return records.get(key);
    } catch (error) {
      throw storeFailure("read", this.path, error);
    }
    await this.#change(() => false);
    return undefined;
  }

  set(key: string, value: string): Promise<void> {
    return this.#change((records) => {
      if (records.get(key) === value) return false;
      records.set(key, value);
      return true;
    });
  }

  async delete(key: string): Promise<void> {
    // Most deletions are precautions: a file that does not exist is not created.
    if ((await this.get(key)) !== undefined) await this.#change((records) => records.delete(key));
  }

  async withLock<Value>(key: string, work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    const digest = createHash("sha256").update(key).digest("hex").slice(0, 16);
    const lock = await this.#lock(`-${digest}`, signal);
    try {
      return await work();
    } finally {
      await lock.release();
    }
  }

  /** @param change returns whether it has changed the records */
  #change(change: (records: Records) => boolean): Promise<void> {
    const changed = this.#changes.then(() => this.#changeLocked(change));
    this.#changes = changed.catch(() => undefined);
    return changed;
  }

  async #changeLocked(change: (records: Records) => boolean): Promise<void> {
    for (let tries = 0; ; tries++) {
      const lock = await this.#lock("");
      try {
        await this.#rewrite(lock, change);
        return;
      } catch (error) {
        if (tries === 3 || !(error instanceof LostLock)) throw storeFailure("write", this.path, error);
      } finally {
        await lock.release();
      }
    }
  }

  async #rewrite(lock: FileLock, change: (records: Records) => boolean): Promise<void> {
    const path = await resolvePrivatePath(this.path);
    const assertLocked = async (): Promise<void> => {
      if (!(await lock.isHeld())) throw new LostLock("another process has taken over the lock");
    };
    await removeUnfinishedFiles(path);
    const { records = new Map<string, string>(), corruption } = parseRecords(path, await readPrivateFile(path));
    if (corruption !== undefined) {
      await assertLocked();
      const kept = `${path}.corrupt-${new Date(Date.now()).toISOString().replaceAll(":", "-")}`;
      await rename(path, kept);
      const message = `${path} ${corruption}; it was renamed to ${kept}, and you have to log in again`;
      this.#onerror(new AuthorizationError("store-failed", message));
    }
    if (change(records)) await replacePrivateFile(path, formatRecords(records), assertLocked);
  }

  async #lock(suffix: string, signal?: AbortSignal): Promise<FileLock> {
    try {
      const path = await resolvePrivatePath(this.path);
      return await lockFolder(`${path}.lock${suffix}`, {
        timeoutMs: this.#lockTimeoutMs,
        staleMs: this.#staleLockMs,
        report: (error) => this.#onerror(storeFailure("unlock", this.path, error)),
        ...(signal && { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw storeFailure("lock", this.path, error);
    }
  }
}
