/** A request gets an OAuth error response (RFC 6749, section 5.2). */
export class OAuthFailure extends Error {
  constructor(
    readonly status: number,
    /** The error code. */
    readonly error: string,
    /** The `error_description`: quotes and backslashes are not allowed in it. */
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
