/** Closes a `switch` over a union; compiles only when every case was handled. */
export function assertNever(value: never): never {
  throw new TypeError(`unhandled case: ${JSON.stringify(value)}`);
}
