import type { InputRequest } from "../../client/client-request-handlers.js";
import type { Task } from "../../client/call-tool-options.js";
import { RemoteError, SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import type { TaskStatus } from "../task-record.js";
import type { TaskOutcome, TaskState } from "./task-state.js";

/** The members of a task in any revision. */
interface WireTask {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs?: number | null;
  readonly pollIntervalMs?: number;
  /** In 2025-11-25. */
  readonly ttl?: number | null;
  /** In 2025-11-25. */
  readonly pollInterval?: number;
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Reads a task that was checked by the schema of its revision. */
export function readTask(body: object): TaskState {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, inputRequests, ...rest } = body as WireTask;
  const { ttl = null, ttlMs = ttl, pollInterval, pollIntervalMs = pollInterval } = rest;
  const task: Task = {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs,
    ...(pollIntervalMs !== undefined && { pollIntervalMs }),
  };
  const outcome = readOutcome(rest);
  return { task, ...(inputRequests && { inputRequests }), ...(outcome && { outcome }) };
}

function readOutcome({ result, error }: Pick<WireTask, "result" | "error">): TaskOutcome | undefined {
  if (result !== undefined) return { result };
  if (error === undefined) return undefined;
  const { code, message, data } = isObject(error) ? error : {};
  if (Number.isInteger(code) && typeof message === "string")
    return { error: new RemoteError(code as number, message, data) };
  return { error: new SdkError("INVALID_RESULT", "the task failed, but its error is not a JSON-RPC error", error) };
}
