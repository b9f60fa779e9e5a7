import { toError } from "../../jsonrpc/error-conversion.js";
import type { ServerContext } from "../../server/contracts.js";

/** Waits for work, or rejects when the client cancels its request. A list waits for all servers, and Node warns of a signal with many listeners. */
export function unlessCancelled<Value>(context: ServerContext, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    context.onAbort((reason) => reject(toError(reason)));
    work.then(resolve, reject);
  });
}
