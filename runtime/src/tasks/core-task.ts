import { isoTime } from "./iso-time.js";
import type { TaskRecord } from "./task-record.js";

/** The most characters of a result that are the status message of its task. */
const maxMessageLength = 1_000;

/** Converts a record to a task in the form of the core protocol (MCP 2025-11-25, tasks). */
export function toCoreTask(record: TaskRecord): object {
  const { id, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = record;
  return {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: isoTime(createdAt),
    lastUpdatedAt: isoTime(lastUpdatedAt),
    ttl: ttlMs,
    ...(pollIntervalMs !== undefined && { pollInterval: pollIntervalMs }),
  };
}

/** The same, for requests of tools: a result that is an error makes its task `failed` in this form, with its text as the message. */
export function toListedTask(record: TaskRecord): object {
  const { status, statusMessage = textOf(record), result } = record;
  if (status !== "completed" || result?.["isError"] !== true) return toCoreTask(record);
  return toCoreTask({ ...record, status: "failed", ...(statusMessage !== undefined && { statusMessage }) });
}

function textOf({ result }: TaskRecord): string | undefined {
  const content = (result?.["content"] ?? []) as readonly { readonly text?: string }[];
  return content.find(({ text }) => text !== undefined)?.text?.slice(0, maxMessageLength);
}
