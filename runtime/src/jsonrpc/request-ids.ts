import type { RequestId } from "@mcpwright/protocol/contract";
import { isObject, isRequestId } from "./guards.js";

/** Returns the ids of the requests in a message or batch; nested batches are ignored. */
export function requestIds(message: unknown): RequestId[] {
  if (Array.isArray(message)) return message.flatMap((one) => (Array.isArray(one) ? [] : requestIds(one)));
  return isObject(message) && message["method"] !== undefined && isRequestId(message["id"]) ? [message["id"]] : [];
}
