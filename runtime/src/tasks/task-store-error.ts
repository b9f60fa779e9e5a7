import { SdkError } from "../jsonrpc/errors.js";

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
  /** The disk, the quota or the database is full. */
  | "full"
  /** The database cannot be written. */
  | "read-only"
  /** The file is not a database, or is damaged. */
  | "corrupt"
  /** Another process kept the database locked for longer than the time limit. */
  | "busy"
  /** The store was closed. */
  | "closed"
  /** The database cannot be read. */
  | "unavailable"
  /** The database belongs to another program, or to a newer version of this package. */
  | "wrong-schema"
  | "unknown";

/** A store of tasks failed. The call that failed changed nothing. */
export class TaskStoreError extends SdkError {
  override readonly name = "TaskStoreError";
  declare readonly data: { readonly reason: TaskStoreFailure };

  constructor(
    readonly reason: TaskStoreFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super("STORE_FAILED", message, { reason }, options);
  }
}
