export { createMcpHandler } from "../http-server/mcp-handler.js";
export type { McpHandlerRequestOptions } from "../http-server/options.js";
export type { McpHttpHandler } from "../http-server/mcp-handler.js";
export { InMemoryEventStore } from "../http-server/in-memory-event-store.js";
export type { InMemoryEventStoreOptions } from "../http-server/in-memory-event-store.js";
export type { EventId, EventMessage, EventStore, StreamId } from "../http-server/event-store.js";
export type { LegacySseOptions, McpHandlerOptions, SessionOptions } from "../http-server/options.js";
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
