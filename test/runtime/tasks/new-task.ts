import type { Principal } from "../../../runtime/src/transport/principal.js";
import type { TaskRecord, TaskRequest } from "../../../runtime/src/tasks/task-record.js";

export const ada: Principal = { issuer: "https://a.example", subject: "ada" };
/** The same subject at another issuer. */
export const otherAda: Principal = { issuer: "https://b.example", subject: "ada" };

export const request: TaskRequest = { method: "tools/call", params: { name: "count" }, clientCapabilities: {} };

export function newTask(id: string, members: Partial<TaskRecord> = {}): TaskRecord {
  return {
    id,
    version: 1,
    owner: ada,
    revision: "2026-07-28",
    status: "working",
    createdAt: 1_000,
    lastUpdatedAt: 1_000,
    ttlMs: null,
    questions: [],
    worker: "w1",
    restartable: true,
    attempts: 1,
    ...members,
  };
}
