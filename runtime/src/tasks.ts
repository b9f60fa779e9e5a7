export { MemoryTaskStore } from "./tasks/store/memory-task-store.js";
export type { TaskLimits } from "./tasks/store/task-limits.js";
export { TaskStoreError, type TaskStoreFailure } from "./tasks/task-store-error.js";
export type { TaskPage, TaskQuery, TaskStore } from "./tasks/task-store.js";
export type { TaskQuestion, TaskRecord, TaskRequest, TaskStatus } from "./tasks/task-record.js";
export { taskOf, type RunningTask } from "./tasks/server/task-run.js";
export type { ServerTasksOptions } from "./tasks/server/task-options.js";
export { tasks } from "./tasks/server/tasks-extension.js";
export type { TaskSupport, ToolTaskOptions } from "./server/tool-task-options.js";
