export { CONTRACT } from "@mcpwright/protocol/contract";
export type * from "@mcpwright/protocol/contract";
export {
  ErrorCode,
  McpError,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  RemoteError,
  ResourceNotFoundError,
  SdkError,
  UnsupportedProtocolVersionError,
  UrlElicitationRequiredError,
} from "./jsonrpc/errors.js";
export type * from "./jsonrpc/errors.js";
export { InMemoryTransport } from "./transport/in-memory.js";
export { serialize } from "./jsonrpc/serialize.js";
export type {
  JSONRPCErrorObject,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
  Meta,
  Params,
} from "./jsonrpc/message-types.js";
export type { Limits } from "./connection/limits.js";
export type { Middleware } from "./connection/middleware.js";
export type { KeepAliveOptions } from "./connection/keep-alive.js";
export type { ConnectionOptions, Trace } from "./connection/connection-options.js";
export type { ConnectionTelemetry, ObservedConnection, Telemetry } from "./connection/telemetry.js";
export type { CallOptions } from "./connection/call-options.js";
export type { HeaderParam } from "./http/header-param.js";
export type { HttpRequestInfo, MessageExtra } from "./transport/message-extra.js";
export type { Principal } from "./transport/principal.js";
export type { RequestChecks } from "./transport/request-checks.js";
export type { Transport, TransportSendOptions } from "./transport/transport.js";
export { isReservedMetaKey, parseMetaKey } from "./rules/meta-key.js";
export type { MetaKey } from "./rules/meta-key.js";
