/** @module express */
export { hostGuard, mcpMiddleware } from "./frameworks/express.js";
export type { ExpressRequest, ExpressMcpOptions, ExpressMcp } from "./frameworks/express.js";
export type { MountOptions } from "./frameworks/mounted-handler.js";
export type { HostGuardOptions, McpHandlerOptions, McpHttpHandler } from "./server/http.js";
