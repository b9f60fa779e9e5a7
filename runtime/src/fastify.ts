/** @module fastify */
export { hostGuard, mcpPlugin } from "./frameworks/fastify.js";
export type {
  FastifyMcpRequest,
  FastifyMcpReply,
  FastifyMcpInstance,
  FastifyMcpOptions,
  FastifyMcp,
} from "./frameworks/fastify.js";
export type { MountOptions } from "./frameworks/mounted-handler.js";
export type { HostGuardOptions, McpHandlerOptions, McpHttpHandler } from "./server/http.js";
