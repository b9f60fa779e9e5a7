/** Visible ASCII characters without quotes and backslashes: none of them needs an escape in a header. */
const syntax = /^[!#-[\]-~]+$/;

/** Whether a value is the name of one OAuth scope (RFC 6749, section 3.3). */
export function isScopeName(value: unknown): value is string {
  return typeof value === "string" && syntax.test(value);
}
