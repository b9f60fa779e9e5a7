/** Whether a handler has returned a promise, also one of another library. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}
