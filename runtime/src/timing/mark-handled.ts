import { isPromiseLike } from "./is-promise-like.js";

/** Returns the value. If it is a promise that the caller does not await, its rejection does not end the process. */
export function markHandled<Value>(value: Value): Value {
  if (isPromiseLike<unknown>(value)) value.then(undefined, ignore);
  return value;
}

function ignore(): void {
  // The code that awaits the promise gets the error.
}
