import { watch, type FSWatcher, type WatchListener } from "node:fs";
import { basename, dirname } from "node:path";
import { fail } from "../diagnostics/diagnostic.js";
import { schemaFolder } from "../sources/schema-folder.js";

/**
 * Runs `action` now and after every change of the schemas, and resolves when the process is asked to end.
 * Changes that come in a burst, or during a run, lead to one further run.
 * @param schema the user's own schema, watched with the overlay beside it; without it the folder that comes with the package is watched
 */
export async function watchInputs(schema: string | undefined, action: () => Promise<void>): Promise<void> {
  const folder = schema === undefined ? schemaFolder() : dirname(schema);
  const inputs = schema === undefined ? undefined : [basename(schema), "overlay.json"];
  let changed = true;
  let wake: (() => void) | undefined;
  const end = new AbortController();
  const trigger = (_event: string, name: string | null): void => {
    if (inputs && name !== null && !inputs.includes(name)) return;
    changed = true;
    wake?.();
  };
  const stop = (): void => {
    end.abort();
    wake?.();
  };
  const watcher = watchFolder(folder, schema === undefined, trigger);
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
    watcher.close();
    process.removeListener("SIGINT", stop);
    process.removeListener("SIGTERM", stop);
  }
}

function watchFolder(folder: string, recursive: boolean, changed: WatchListener<string>): FSWatcher {
  try {
    return watch(folder, { recursive }, changed);
  } catch (error) {
    return fail("input-not-found", { path: folder, reason: (error as NodeJS.ErrnoException).code ?? String(error) });
  }
}
