/** The errors of transports, by the errors of the runtime that they stand for. */
const byNative = new WeakMap<object, Error>();
const errors = new WeakSet();

/** Notes that programs get `error` where the runtime passes on `native`. Returns `error`. */
export function standIn(error: Error, native: unknown): Error {
  errors.add(error);
  if (typeof native === "object" && native !== null) byNative.set(native, error);
  // The runtime knows its own errors.
  error.cause = native;
  return error;
}

/** Returns the error of a transport that an error stands for, or contains as its cause. */
export function transportErrorOf(error: unknown): Error | undefined {
  for (let one = error; typeof one === "object" && one !== null; one = (one as Error).cause) {
    if (errors.has(one)) return one as Error;
    const known = byNative.get(one);
    if (known) return known;
  }
  return undefined;
}
