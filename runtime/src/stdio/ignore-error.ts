/** For an `error` event that is known already or does not matter: without a listener it would end the process. */
export function ignoreError(): void {
  // On purpose.
}
