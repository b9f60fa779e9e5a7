import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import type { ServerContext } from "../../server/contracts.js";
import { andThen, type MaybePromise } from "../maybe-promise.js";
import type { TaskRecord } from "../task-record.js";
import { storeError } from "./store-error.js";
import type { TaskRunner } from "./task-runner.js";

export interface TaskIdParams {
  readonly taskId: string;
}

/**
 * Finds a task of the client. A task of another principal, or of the other era, is like one that does not exist.
 * @throws ProtocolError -32602 when there is none
 */
export function findTask(
  { store, server }: TaskRunner,
  { taskId }: TaskIdParams,
  { principal, client }: ServerContext,
): MaybePromise<TaskRecord> {
  const finding = storeError(server, () => store.get(taskId, principal ?? null));
  return andThen(finding, (record) => {
    if (record?.revision === client.side.revision) return record;
    throw new ProtocolError(ErrorCode.InvalidParams, "Invalid params: there is no task with this taskId, or no longer");
  });
}
