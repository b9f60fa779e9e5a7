import type { RequestDescriptor, Side } from "@mcpwright/protocol/contract";
import type { HeaderParam } from "../http/header-param.js";
import type { JSONRPCRequest } from "../jsonrpc/message-types.js";

/**
 * A transport that repeats parts of a request outside of it checks here that they agree. The methods are called in this
 * order while a request is admitted; each throws the `ProtocolError` that the request is to be answered with.
 */
export interface RequestChecks {
  /** `_meta` is complete and claims this version, served or not. */
  checkVersion(version: string): void;
  /** The version is served, by this side. */
  checkMethod(request: JSONRPCRequest, side: Side): void;
  /** The method is offered. */
  checkRequest(request: JSONRPCRequest, row: RequestDescriptor): void;
  /** The tool asks for `params` to be repeated; `args` has their values. */
  checkHeaderParams(params: readonly HeaderParam[], args: unknown): void;
}
