export { CONTRACT } from "@mcpwright/protocol/contract";
export type * from "@mcpwright/protocol/contract";
export * from "./engine/errors.js";
export { InMemoryTransport } from "./engine/in-memory.js";
export { serialize } from "./engine/json-rpc.js";
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
} from "./engine/json-rpc.js";
export type { Limits } from "./engine/limits.js";
export type { Middleware } from "./engine/middleware.js";
export type { KeepAliveOptions } from "./engine/keep-alive.js";
export type { ConnectionOptions, Trace } from "./engine/peer-options.js";
export type { CallOptions } from "./engine/pending.js";
export type * from "./engine/transport.js";
export { isReservedMetaKey, parseMetaKey } from "./rules/meta-key.js";
export type { MetaKey } from "./rules/meta-key.js";
