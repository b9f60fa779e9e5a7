import { watch, type FSWatcher, type WatchListener } from "node:fs";
import { fail } from "../diagnostics/diagnostic.js";

/**
 * Runs `action` now and after every change, and resolves on SIGINT or SIGTERM.
 * Several changes in quick succession, or during a run, cause one further run.
 * @param start starts watching, calls `changed` on each change, and returns a function that stops watching
 */
export async function runOnChange(
  start: (changed: () => void) => () => void,
  action: () => Promise<void>,
): Promise<void> {
  let changed = true;
  let wake: (() => void) | undefined;
  const end = new AbortController();
  const stopWatching = start(() => {
    changed = true;
    wake?.();
  });
  const stop = (): void => {
    end.abort();
    wake?.();
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  try {
    while (!end.signal.aborted) {
      if (changed) {
        changed = false;
        await action();
      } else {
        await new Promise<void>((resolve) => (wake = resolve));
        wake = undefined;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  } finally {
    stopWatching();
    process.removeListener("SIGINT", stop);
    process.removeListener("SIGTERM", stop);
  }
}

/** @throws DiagnosticError input-not-found for a folder that cannot be watched */
export function watchFolder(folder: string, recursive: boolean, changed: WatchListener<string>): FSWatcher {
  try {
    return watch(folder, { recursive }, changed);
  } catch (error) {
    return fail("input-not-found", { path: folder, reason: (error as NodeJS.ErrnoException).code ?? String(error) });
  }
}
