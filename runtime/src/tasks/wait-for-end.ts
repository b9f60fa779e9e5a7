import type { Principal } from "../transport/principal.js";
import { hasEnded, type TaskRecord } from "./task-record.js";
import type { TaskStore } from "./task-store.js";

/**
 * Waits until a task has ended.
 * @returns undefined when there is no such task, or no longer
 * @throws the reason of the abort
 */
export async function waitForEnd(
  store: TaskStore,
  id: string,
  owner: Principal | null,
  signal: AbortSignal,
): Promise<TaskRecord | undefined> {
  let wake = (): void => undefined;
  const unsubscribe = store.subscribe((changed) => changed === id && wake());
  const stop = (): void => wake();
  signal.addEventListener("abort", stop);
  try {
    for (;;) {
      signal.throwIfAborted();
      const changed = new Promise<void>((resolve) => (wake = resolve));
      const record = await store.get(id, owner);
      if (!record || hasEnded(record)) return record;
      await changed;
    }
  } finally {
    unsubscribe();
    signal.removeEventListener("abort", stop);
  }
}
