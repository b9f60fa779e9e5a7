import { markHandled } from "../timing/mark-handled.js";

/**
 * Wraps the handling of requests. `next` runs the next middleware or the handler. The returned value becomes the result;
 * a thrown error becomes the error response.
 * @param call the context of the handler, with `method` and `params`
 */
export type Middleware<Call> = (call: Call, next: () => unknown) => unknown;

/** Combines middleware and a handler into one function; the first middleware is the outermost. */
export function compose<Call>(
  layers: readonly Middleware<Call>[],
  handle: (call: Call) => unknown,
): (call: Call) => unknown {
  return layers.reduceRight<(call: Call) => unknown>(
    (next, layer) => (call) => layer(call, () => markHandled(next(call))),
    handle,
  );
}
