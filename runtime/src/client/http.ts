export type {
  HttpClientOptions,
  ReconnectionOptions,
  ReconnectionScheduler,
  StreamableHTTPClientTransportOptions,
} from "../http-client/options.js";
export { fetchIcon } from "../http-client/fetch-icon.js";
export type { FetchIconOptions } from "../http-client/fetch-icon.js";
export type { ImageType } from "../http-client/image-type.js";
export type { HttpErrorData } from "../http-client/http-error.js";
export { SSEClientTransport } from "../http-client/sse-client-transport.js";
export { StreamableHTTPClientTransport } from "../http-client/streamable-http-client-transport.js";
export type {
  AuthChallenge,
  AuthHeaders,
  Authorization,
  AuthorizedRequest,
  AuthProvider,
  TokenUse,
} from "../http-client/auth-provider.js";
export type { FetchLike } from "../http-client/fetch-like.js";
