import type { RequestId } from "@mcpwright/protocol/contract";
import { isObject, isRequestId } from "./guards.js";

/** Returns the ids of the requests in a message or batch; nested batches are ignored. */
export function requestIds(message: unknown): RequestId[] {
  return [message]
    .flat()
    .filter(isObject)
    .flatMap(({ method, id }) => (method !== undefined && isRequestId(id) ? [id] : []));
}
