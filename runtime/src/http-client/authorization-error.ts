import { SdkError, type SdkErrorCode } from "../jsonrpc/errors.js";

const codes: readonly SdkErrorCode[] = [
  "AUTHORIZATION_FAILED",
  "UNAUTHORIZED",
  "INSUFFICIENT_SCOPE",
  "INVALID_CONFIGURATION",
];

/** Whether an error of a provider reaches the caller as it is. Other codes could be taken for a failure of the server. */
export function isAuthorizationError(error: unknown): error is SdkError {
  return error instanceof SdkError && codes.includes(error.code);
}
