import { StoreError } from "../jsonrpc/store-error.js";
import type { RedisFailure } from "../redis/redis-failure.js";
import type { SqliteFailure } from "../sqlite/sqlite-failure.js";

/** Why a store of tasks failed. */
export type TaskStoreFailure =
  /** The store has as many tasks as it may have. */
  | "too-many-tasks"
  /** The store has as many tasks of the owner as it may have. */
  | "too-many-tasks-of-owner"
  /** The store has a task with the id of a new one. */
  | "task-exists"
  /** The store did not create the cursor of a list. */
  | "invalid-cursor"
  /** Other changes of the task were faster, again and again. */
  | "conflict"
  /** The database of the store failed. */
  | SqliteFailure
  /** Redis failed. */
  | RedisFailure;

/**
 * A store of tasks failed. The call that failed changed nothing; when Redis is `unavailable`, this is not known.
 */
export class TaskStoreError extends StoreError<TaskStoreFailure> {
  override readonly name = "TaskStoreError";
}
