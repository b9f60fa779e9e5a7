import { TaskStoreError } from "../task-store-error.js";

/** A cursor contains the stamp of the last task of a page: the time of its creation in microseconds, unique in the store. */
export function writeCursor(stamp: number): string {
  return stamp.toString(36);
}

/**
 * Returns the stamp in a cursor; 0 without a cursor.
 * @throws TaskStoreError `invalid-cursor`
 */
export function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const stamp = /^[0-9a-z]{1,11}$/.test(cursor) ? Number.parseInt(cursor, 36) : Number.NaN;
  if (Number.isSafeInteger(stamp) && writeCursor(stamp) === cursor) return stamp;
  throw new TaskStoreError(
    "invalid-cursor",
    "cannot list tasks: the cursor is not one of this store; list from the start",
  );
}
