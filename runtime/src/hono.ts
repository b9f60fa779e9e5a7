/** @module hono */
export { hostGuard, mcpMiddleware } from "./frameworks/hono.js";
export type { HonoContext, HonoMcpOptions, HonoMiddleware, HonoMcp } from "./frameworks/hono.js";
export type { MountOptions } from "./frameworks/mounted-handler.js";
export type { HostGuardOptions, McpHandlerOptions, McpHttpHandler } from "./server/http.js";
