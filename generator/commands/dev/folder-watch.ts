import { type FSWatcher, type Stats, lstatSync, readdirSync, statSync, watch } from "node:fs";
import { dirname, join } from "node:path";

export interface FolderWatchOptions {
  /** A folder, with the folders in it. */
  readonly root: string;
  /** Whether the files of a folder below the root are left out. */
  readonly isIgnored: (folder: string) => boolean;
  /** Whether a file counts. */
  readonly isWanted: (file: string) => boolean;
  /** Called with the files that were written, created, replaced or deleted. */
  readonly onChange: (files: readonly string[]) => void;
  /** Called when a folder cannot be watched. */
  readonly onerror: (error: Error, folder: string) => void;
}

/** Milliseconds without a change after which changes are reported. */
const settleMs = 40;
/** Milliseconds after which they are reported in any case. */
const maxSettleMs = 400;

/**
 * Watches a folder, with one watcher for each folder in it, because on Linux the recursive watchers of Node watch every file, also those in
 * ignored folders, and lose files that editors replace. Links to folders are not followed.
 */
export class FolderWatch {
  readonly #watchers = new Map<string, FSWatcher>();
  /** The state of each file that counts, so that events without a change are not reported. */
  readonly #stamps = new Map<string, string>();
  /** Paths with events, and whether something was created, replaced or deleted there. */
  readonly #touched = new Map<string, boolean>();
  #timer: NodeJS.Timeout | undefined;
  #firstAt = 0;
  /** Whether the system watches no more folders. */
  #isFull = false;
  #isClosed = false;

  constructor(private readonly options: FolderWatchOptions) {
    this.#add(options.root);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Watches a folder and those in it. Returns the files that count in them. */
  #add(folder: string): readonly string[] {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
    try {
      // Before its files are listed, so that none is missed.
      const watcher = watch(folder, (event, name) => {
        this.#touch(name === null ? folder : join(folder, name), event === "rename" || name === null);
      });
      watcher.on("error", () => this.#remove(folder));
      this.#watchers.set(folder, watcher);
      const found: string[] = [];
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) {
          if (!this.options.isIgnored(path)) found.push(...this.#add(path));
        } else if (this.options.isWanted(path) && this.#update(path)) found.push(path);
      }
      return found;
    } catch (error) {
      this.#report(error as NodeJS.ErrnoException, folder);
      return [];
    }
  }

  #report(error: NodeJS.ErrnoException, folder: string): void {
    // Folders may disappear meanwhile.
    if (error.code === "ENOENT" && folder !== this.options.root) return;
    if (error.code === "ENOSPC" || error.code === "EMFILE") {
      // The system has a limit, which every further folder exceeds, too.
      if (this.#isFull) return;
      this.#isFull = true;
    }
    this.options.onerror(error, folder);
  }

  /** Forgets a file or folder that is gone. Returns the files that counted. */
  #remove(folder: string): readonly string[] {
    if (!this.#watchers.has(folder)) return this.#stamps.delete(folder) ? [folder] : [];
    const within = join(folder, "/");
    const isInside = (path: string): boolean => path === folder || path.startsWith(within);
    for (const [path, watcher] of this.#watchers) {
      if (!isInside(path)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
    const gone = [...this.#stamps.keys()].filter(isInside);
    for (const path of gone) this.#stamps.delete(path);
    return gone;
  }

  #touch(path: string, isRenamed: boolean): void {
    const now = performance.now();
    if (this.#touched.size === 0) this.#firstAt = now;
    this.#touched.set(path, isRenamed || this.#touched.get(path) === true);
    clearTimeout(this.#timer);
    const wait = Math.max(0, Math.min(settleMs, this.#firstAt + maxSettleMs - now));
    this.#timer = setTimeout(() => this.#settle(), wait);
  }

  #settle(): void {
    if (this.#isClosed) return;
    const touched = [...this.#touched];
    this.#touched.clear();
    const changed = new Set(touched.flatMap(([path, isRenamed]) => this.#check(path, isRenamed)));
    if (changed.size > 0) this.options.onChange([...changed]);
  }

  /** The files that have changed at a path. */
  #check(path: string, isRenamed: boolean): readonly string[] {
    const stats = statOf(path);
    if (!stats) return this.#remove(path);
    if (stats.isDirectory()) {
      if (path !== this.options.root && (this.options.isIgnored(path) || isLink(path))) return [];
      // A folder of the same name may have taken the place of the watched one.
      return isRenamed || !this.#watchers.has(path) ? this.#add(path) : [];
    }
    if (!this.options.isWanted(path)) return [];
    // A file may have taken the place of a folder.
    return this.#watchers.has(dirname(path)) && this.#update(path, stats) ? [path] : [];
  }

  /** Remembers the state of a file. Returns whether it differs from the remembered one. */
  #update(path: string, stats: Stats | undefined = statOf(path)): boolean {
    if (!stats?.isFile()) return false;
    const stamp = `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
    const isNew = this.#stamps.get(path) !== stamp;
    this.#stamps.set(path, stamp);
    return isNew;
  }
}

/** @returns undefined for what does not exist or cannot be looked at, such as a link to itself: no server can run it either */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
