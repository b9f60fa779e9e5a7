export type {
  AuthChallenge,
  AuthProvider,
  FetchLike,
  HttpClientOptions,
  ReconnectionOptions,
  ReconnectionScheduler,
  StreamableHTTPClientTransportOptions,
} from "../http-client/options.js";
export type { HttpErrorData } from "../http-client/http-error.js";
export { SSEClientTransport } from "../http-client/sse-client-transport.js";
export { StreamableHTTPClientTransport } from "../http-client/streamable-http-client-transport.js";
