import type { CreateTaskResult, DetailedTask, Task } from "@mcpwright/protocol/extensions/tasks";
import type { InputRequests } from "../../authoring.js";
import { isoTime } from "../iso-time.js";
import { outstandingQuestions } from "../task-transitions.js";
import type { TaskRecord } from "../task-record.js";

/** Converts a record to the members that every form of a task has (extension `io.modelcontextprotocol/tasks`). */
function toTask({ id, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs }: TaskRecord): Task {
  return {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: isoTime(createdAt),
    lastUpdatedAt: isoTime(lastUpdatedAt),
    ttlMs,
    ...(pollIntervalMs !== undefined && { pollIntervalMs }),
  };
}

/** The result of a request that runs as a task. */
export function toCreateTaskResult(record: TaskRecord): CreateTaskResult {
  return { resultType: "task", ...toTask(record) };
}

/** The state of a task with its questions, its result or its error. */
export function toDetailedTask(record: TaskRecord): DetailedTask {
  const task = toTask(record);
  switch (record.status) {
    case "input_required":
      return { ...task, status: "input_required", inputRequests: inputRequests(record) };
    case "completed":
      return { ...task, status: "completed", result: record.result ?? {} };
    case "failed":
      return { ...task, status: "failed", error: record.error ?? { code: -32603, message: "Internal error" } };
    default:
      return { ...task, status: record.status };
  }
}

function inputRequests(record: TaskRecord): InputRequests {
  return Object.fromEntries(outstandingQuestions(record).map(({ key, request }) => [key, request])) as InputRequests;
}
