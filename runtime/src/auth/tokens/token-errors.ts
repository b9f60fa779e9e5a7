import { OperationProcessingError, ResponseBodyError, UnsupportedOperationError } from "oauth4webapi";
import { AuthorizationError } from "../auth-errors.js";
import { cleanErrorCode, cleanErrorText } from "../error-text.js";

/**
 * Converts an error of oauth4webapi. Copies only code, description and status: its cause contains the response.
 * @param what the endpoint, at the start of the message
 * @param secrets what the request contained; not shown when the server repeats it
 * @returns other errors unchanged, such as that of a function which provides a secret
 */
export function toAuthorizationError(
  error: unknown,
  what: string,
  issuer: string,
  secrets: readonly string[],
): unknown {
  if (error instanceof ResponseBodyError) {
    const code = cleanErrorCode(error.error, secrets) ?? "unknown_error";
    const description = cleanErrorText(error.error_description, secrets);
    return new AuthorizationError(
      "token-refused",
      `${what} refused the request: ${code}${description === undefined ? "" : ` (${description})`}`,
      {
        issuer,
        error: code,
        status: error.status,
        ...(description !== undefined && { errorDescription: description }),
      },
    );
  }
  // These messages name members, not their values.
  if (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError)
    return new AuthorizationError("token-invalid", `${what} sent an invalid response: ${error.message}`, { issuer });
  return error;
}
