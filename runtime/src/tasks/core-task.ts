import { isoTime } from "./iso-time.js";
import type { TaskRecord } from "./task-record.js";

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

/** The same, for requests of tools: a result that is an error makes its task `failed` in this form. */
export function toListedTask(record: TaskRecord): object {
  const failed = record.status === "completed" && record.result?.["isError"] === true;
  return toCoreTask(failed ? { ...record, status: "failed" } : record);
}
