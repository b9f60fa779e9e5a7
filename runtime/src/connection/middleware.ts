/**
 * Wraps the handling of requests. `next` runs the rest; what it returns is answered, what it throws becomes an error.
 * @param call the context that the handler gets, with `method` and `params`
 */
export type Middleware<Call> = (call: Call, next: () => unknown) => unknown;

/** One function out of many layers; the first is the outermost. */
export function compose<Call>(
  layers: readonly Middleware<Call>[],
  handle: (call: Call) => unknown,
): (call: Call) => unknown {
  return layers.reduceRight<(call: Call) => unknown>((next, layer) => (call) => layer(call, () => next(call)), handle);
}
