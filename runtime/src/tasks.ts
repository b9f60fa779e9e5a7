export { MemoryTaskStore } from "./tasks/store/memory-task-store.js";
export type { TaskLimits } from "./tasks/store/task-limits.js";
export { TaskStoreError, type TaskStoreFailure } from "./tasks/task-store-error.js";
export type { TaskPage, TaskQuery, TaskStore } from "./tasks/task-store.js";
export type { TaskQuestion, TaskRecord, TaskRequest, TaskStatus } from "./tasks/task-record.js";
