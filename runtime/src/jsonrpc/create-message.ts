import type { RequestId } from "@mcpwright/protocol/contract";
import type { JSONRPCRequest, Params } from "./message-types.js";

/** Params with further metadata; what was there before wins nothing and loses nothing. */
export function withMeta(params: object | undefined, meta: object): object {
  return Object.assign({}, params, { _meta: { ...(params as Params | undefined)?._meta, ...meta } });
}

/** A request; without an id, a notification. */
export function createMessage(method: string, params: object | undefined, id?: RequestId): JSONRPCRequest {
  // Whoever takes messages as objects tells notifications by the absence of the member.
  return (
    id === undefined ? { jsonrpc: "2.0", method, params } : { jsonrpc: "2.0", id, method, params }
  ) as JSONRPCRequest;
}
