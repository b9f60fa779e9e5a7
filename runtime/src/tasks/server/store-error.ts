import { toError } from "../../jsonrpc/error-conversion.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import type { ServerHost } from "../../server/server-extension.js";
import { attempt, type MaybePromise } from "../maybe-promise.js";
import { TaskStoreError, type TaskStoreFailure } from "../task-store-error.js";

/** The reasons that a client may know. */
const messages: Partial<Record<TaskStoreFailure, string>> = {
  "too-many-tasks": "The server has too many tasks; try again later",
  "too-many-tasks-of-owner": "You have too many tasks; wait until some have expired",
};

/**
 * Calls the store. Its errors are reported to `onerror`; the client receives only that tasks are not available, or a limit.
 * @throws ProtocolError -32603, or -32602 for an invalid cursor
 */
export function storeError<Value>(
  { options }: Pick<ServerHost, "options">,
  call: () => MaybePromise<Value>,
): MaybePromise<Value> {
  return attempt(call, (error): never => {
    if (error instanceof ProtocolError) throw error;
    const reason = error instanceof TaskStoreError ? error.reason : undefined;
    if (reason === "invalid-cursor")
      throw new ProtocolError(ErrorCode.InvalidParams, "Invalid params: cursor was not returned by this server");
    options.onerror?.(toError(error));
    const message = reason && messages[reason];
    throw new ProtocolError(
      ErrorCode.InternalError,
      message ?? "Tasks are not available at the moment; try again later",
    );
  });
}
