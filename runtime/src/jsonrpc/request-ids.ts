import type { RequestId } from "@mcpwright/protocol/contract";
import { isObject, isRequestId } from "./guards.js";

/** Returns the ids of the requests in a message or batch; nested batches are ignored. */
export function requestIds(message: unknown): RequestId[] {
  if (Array.isArray(message)) return message.filter((one) => !Array.isArray(one)).flatMap(requestIds);
  return isObject(message) && message["method"] !== undefined && isRequestId(message["id"]) ? [message["id"]] : [];
}
