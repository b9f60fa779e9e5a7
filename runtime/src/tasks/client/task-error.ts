import { SdkError, type SdkErrorCode } from "../../jsonrpc/errors.js";

/** Why a task has no result. */
export type TaskErrorCode = Extract<SdkErrorCode, "TASK_CANCELLED" | "TASK_EXPIRED" | "TASK_NOT_FOUND">;

/** A task of a server ended without a result, or the server does not have it. */
export class TaskError extends SdkError {
  override readonly name = "TaskError";
  declare readonly data: { readonly taskId: string };

  constructor(
    override readonly code: TaskErrorCode,
    message: string,
    readonly taskId: string,
    options?: ErrorOptions,
  ) {
    super(code, message, { taskId }, options);
  }
}

export function taskNotFound(taskId: string, cause: unknown): TaskError {
  return new TaskError("TASK_NOT_FOUND", "the server does not have the task, or no longer", taskId, { cause });
}
