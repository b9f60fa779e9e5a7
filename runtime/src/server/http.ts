export { createMcpHandler } from "../http-server/mcp-handler.js";
export type { McpHandlerRequestOptions } from "../http-server/options.js";
export type { McpHttpHandler } from "../http-server/mcp-handler.js";
export type { LegacySseOptions, McpHandlerOptions, SessionOptions } from "../http-server/options.js";
export { createHostGuard } from "../http-server/host-guard.js";
export type { HostGuard, HostGuardOptions, HostRefusal } from "../http-server/host-guard.js";
export type { HttpAuthorization } from "../http-server/http-authorization.js";
export type {
  Authenticated,
  BodyWriter,
  HttpEndpoint,
  HttpHeaders,
  HttpRequest,
  DisconnectListener,
  Responder,
} from "../http-server/host-adapter.js";
export type { HostedConnection, HostedServer, HostedServerSource } from "../http-server/hosted-server.js";
