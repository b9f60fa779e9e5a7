import { andThen, type MaybePromise } from "./maybe-promise.js";
import type { TaskRecord } from "./task-record.js";
import { TaskStoreError } from "./task-store-error.js";
import type { TaskStore } from "./task-store.js";

/** Each lost race means that another change was stored. */
const maxAttempts = 1_000;

/**
 * Changes a task, and repeats that with the newest record when another change was faster: of changes that exclude each other, such
 * as an answer and a cancellation, one is stored, and the other decides again.
 * @param known a record that the caller has read before, to save a read
 * @param change returns the next record, or undefined to leave the task as it is
 * @returns the record that is stored now; undefined when there is no such task
 * @throws TaskStoreError
 */
export function changeTask(
  store: TaskStore,
  known: Pick<TaskRecord, "id" | "owner"> | TaskRecord,
  change: (record: TaskRecord) => TaskRecord | undefined,
): MaybePromise<TaskRecord | undefined> {
  const changed = "version" in known ? change(known) : undefined;
  return andThen(changed ? store.update(changed) : false, (isStored) =>
    isStored ? changed : changeStored(store, known, change),
  );
}

async function changeStored(
  store: TaskStore,
  { id, owner }: Pick<TaskRecord, "id" | "owner">,
  change: (record: TaskRecord) => TaskRecord | undefined,
): Promise<TaskRecord | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const record = await store.get(id, owner);
    const next = record && change(record);
    if (!next) return record;
    if (await store.update(next)) return next;
  }
  throw new TaskStoreError("conflict", `cannot change a task: other changes were faster ${maxAttempts} times`);
}
