import type { RequestId } from "@mcpwright/protocol/contract";
import type { JSONRPCRequest, Params } from "./message-types.js";

/** Returns a copy of the params with further metadata; `meta` wins over existing members of the same name. */
export function withMeta(params: object | undefined, meta: object): object {
  return Object.assign({}, params, { _meta: { ...(params as Params | undefined)?._meta, ...meta } });
}

/** Creates a request; without an id, a notification. */
export function createMessage(method: string, params: object | undefined, id?: RequestId): JSONRPCRequest {
  // Code that receives messages as objects recognizes a notification by the absence of the member `id`.
  return (
    id === undefined ? { jsonrpc: "2.0", method, params } : { jsonrpc: "2.0", id, method, params }
  ) as JSONRPCRequest;
}
