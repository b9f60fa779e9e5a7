export type { CallToolOptions, Task } from "../client/call-tool-options.js";
export { TaskError, type TaskErrorCode } from "./client/task-error.js";
export { taskReceiver } from "./client/task-receiver.js";
export { tasks, type ClientTasksOptions, type ClientTasksTypes, type TaskReceiver } from "./client/tasks-extension.js";
export { callToolTask, cancelTask, getTask, listTasks, resumeTask, ToolTask } from "./client/tool-task.js";
