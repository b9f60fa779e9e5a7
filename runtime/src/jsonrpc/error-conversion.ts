import { ErrorCode, ProtocolError, SdkError, type SdkErrorCode } from "./errors.js";

/** Converts a thrown value to an `Error`. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  try {
    return new Error(String(thrown));
  } catch {
    return new Error("a value was thrown that cannot be converted to a string", { cause: thrown });
  }
}

export function isSdkError(error: unknown, code: SdkErrorCode): error is SdkError {
  return error instanceof SdkError && error.code === code;
}

export function connectionClosedError(cause: Error | undefined): SdkError {
  if (isSdkError(cause, "SESSION_LOST")) return cause;
  const why = cause ? `: ${cause.message}` : "";
  return new SdkError("CONNECTION_CLOSED", `the connection was closed${why}`, undefined, { cause });
}

/** The error of a request that could not be sent: that of the transport, unless it is an unexpected one, or the transport is closed. */
export function unsentError(method: string, cause: unknown): SdkError {
  if (cause instanceof SdkError && cause.code !== "NOT_CONNECTED") return cause;
  return new SdkError("SEND_FAILED", `${method} could not be sent`, undefined, { cause });
}

export function invalidRequest(problem: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidRequest, `Invalid Request: ${problem}`);
}
