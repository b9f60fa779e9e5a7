export { createMcpHandler } from "../http-server/handler.js";
export type { McpHandlerRequestOptions, McpHttpHandler } from "../http-server/handler.js";
export { InMemoryEventStore } from "../http-server/event-store.js";
export type {
  EventId,
  EventMessage,
  EventStore,
  InMemoryEventStoreOptions,
  StreamId,
} from "../http-server/event-store.js";
export type { McpHandlerOptions, SessionOptions } from "../http-server/options.js";
export type {
  BodyWriter,
  HttpEndpoint,
  HttpHeaders,
  HttpRequest,
  DisconnectListener,
  Responder,
} from "../http-server/request.js";
