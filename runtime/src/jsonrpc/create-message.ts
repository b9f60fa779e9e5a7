import type { RequestId } from "@mcpwright/protocol/contract";
import type { JSONRPCRequest, Params } from "./message-types.js";

/** Returns a copy of the params with other metadata. */
export function replaceMeta(params: object | undefined, meta: object): object {
  // V8 is slow to add a member after a spread, and `Object.assign` would make a member `__proto__` of the peer's JSON the prototype.
  const copy: { _meta: object | undefined } = { _meta: undefined, ...params };
  copy._meta = meta;
  return copy;
}

/** Returns a copy of the params with further metadata; `meta` wins over existing members of the same name. */
export function withMeta(params: object | undefined, meta: object): object {
  return replaceMeta(params, { ...(params as Params | undefined)?._meta, ...meta });
}

/** Creates a request; without an id, a notification. */
export function createMessage(method: string, params: object | undefined, id?: RequestId): JSONRPCRequest {
  // Code that receives messages as objects recognizes a notification by the absence of the member `id`.
  return (
    id === undefined ? { jsonrpc: "2.0", method, params } : { jsonrpc: "2.0", id, method, params }
  ) as JSONRPCRequest;
}
