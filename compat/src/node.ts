export {
  hostHeaderValidation,
  localhostHostValidation,
  localhostOriginValidation,
  originValidation,
} from "./node/guards.js";
export { toNodeHandler } from "./node/node-handler.js";
export type { FetchLikeMcpHandler, NodeMcpRequestHandler, ToNodeHandlerOptions } from "./node/node-handler.js";
export { toWebRequest } from "./node/web-request.js";
export type { NodeIncomingMessageLike, ToWebRequestOptions } from "./node/web-request.js";
export type { NodeServerResponseLike } from "./node/web-response.js";
export { NodeStreamableHTTPServerTransport } from "./node/streamable-http-transport.js";
export type { StreamableHTTPServerTransportOptions } from "./node/streamable-http-transport.js";
