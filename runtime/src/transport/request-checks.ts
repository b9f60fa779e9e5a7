import type { RequestDescriptor, Side } from "@mcpwright/protocol/contract";
import type { HeaderParam } from "../http/header-param.js";
import type { JSONRPCRequest } from "../jsonrpc/message-types.js";

/**
 * Checks of a transport that repeats parts of a request outside the message (such as in HTTP headers). The methods are
 * called in this order before a request is handled; each throws a `ProtocolError`, which becomes the error response.
 */
export interface RequestChecks {
  /** Called when `_meta` is complete and names this version, whether it is supported or not. */
  checkVersion(version: string): void;
  /** Called when the version is supported; `side` is that of its revision. */
  checkMethod(request: JSONRPCRequest, side: Side): void;
  /** Called when the method is available. */
  checkRequest(request: JSONRPCRequest, row: RequestDescriptor): void;
  /** Called when the schema of a tool declares header params; `args` contains their values. */
  checkHeaderParams(params: readonly HeaderParam[], args: unknown): void;
}
