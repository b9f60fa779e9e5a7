export { ExperimentalClientTasks } from "./client-tasks.js";
export * from "./interfaces.js";
export { ExperimentalMcpServerTasks } from "./mcp-server-tasks.js";
export { ExperimentalServerTasks } from "./server-tasks.js";
export { InMemoryTaskMessageQueue, InMemoryTaskStore } from "./stores/in-memory.js";
export { takeResult, toArrayAsync, type ResponseMessage } from "../../shared/responseMessage.js";
