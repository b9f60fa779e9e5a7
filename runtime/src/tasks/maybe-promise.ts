import { isPromiseLike } from "../timing/is-promise-like.js";

/** A value, or a promise of it: stores in memory respond at once, and then nothing has to wait. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Calls `next` with the value: at once, unless it is a promise. */
export function andThen<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return isPromiseLike(value) ? value.then(next) : next(value);
}

/** Calls a function. `recover` receives what it throws, and what its promise rejects with. */
export function attempt<Value, Other>(
  call: () => MaybePromise<Value>,
  recover: (error: unknown) => MaybePromise<Other>,
): MaybePromise<Value | Other> {
  try {
    const value = call();
    return isPromiseLike(value) ? value.then<Value | Other, Value | Other>(undefined, recover) : value;
  } catch (error) {
    return recover(error);
  }
}
