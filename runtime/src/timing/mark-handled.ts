import { isPromiseLike } from "./is-promise-like.js";

/**
 * Returns the value. If it is a promise that the caller does not await, its rejection does not end the process.
 * @param rejected called with the reason of a rejection. Default: only the caller gets it
 */
export function markHandled<Value>(value: Value, rejected: (reason: unknown) => void = ignore): Value {
  if (isPromiseLike<unknown>(value)) value.then(undefined, rejected);
  return value;
}

function ignore(): void {
  // The code that awaits the promise gets the error.
}
