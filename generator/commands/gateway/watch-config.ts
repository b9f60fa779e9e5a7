import { type FSWatcher, watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { isatty } from "node:tty";

/** Milliseconds in which an editor writes a file. */
const settleMs = 100;

export interface WatchOptions {
  /** Called when the file may have changed, and with `true` at SIGHUP. */
  readonly onChange: (isForced: boolean) => void;
  /** Called at SIGHUP if the terminal of the process is gone. */
  readonly onHangUp: () => void;
  /** Called when the file cannot be watched. */
  readonly onerror: (error: Error) => void;
}

/**
 * Watches a file until the returned function is called. The folder is watched, because many editors replace files. SIGHUP counts as a
 * change, unless it says that the terminal is gone.
 */
export function watchConfig(path: string, { onChange, onHangUp, onerror }: WatchOptions): () => void {
  const name = basename(path);
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => onChange(false), settleMs).unref();
  };
  try {
    watcher = watch(dirname(resolve(path)), { persistent: false }, (_kind, file) => {
      if (file === null || file === name) changed();
    });
    watcher.on("error", onerror);
  } catch (error) {
    onerror(error as Error);
  }
  const hadTerminal = isatty(0);
  const hangUp = (): void => (hadTerminal && !isatty(0) ? onHangUp() : onChange(true));
  process.on("SIGHUP", hangUp);
  return () => {
    clearTimeout(timer);
    watcher?.close();
    process.off("SIGHUP", hangUp);
  };
}
