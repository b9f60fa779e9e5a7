/** A listener for `error` events that are already handled or do not matter: without one they would end the process. */
export function ignoreError(): void {
  // Intentionally empty.
}
