import { ErrorCode, RemoteError, SdkError, type SdkErrorCode } from "../../jsonrpc/errors.js";

const lost: readonly SdkErrorCode[] = [
  "RESPONSE_LOST",
  "SESSION_LOST",
  "CONNECTION_CLOSED",
  "SEND_FAILED",
  "REQUEST_TIMEOUT",
];

/** Whether a request about a task may succeed when it is sent again. */
export function isTransient(error: unknown): boolean {
  if (error instanceof RemoteError) return error.code === ErrorCode.InternalError;
  if (!(error instanceof SdkError)) return false;
  if (error.code !== "HTTP_ERROR") return lost.includes(error.code);
  const { status } = error.data as { readonly status: number };
  return status === 0 || status === 429 || status >= 500;
}

/** Whether a server responded that it does not have the task. */
export function isUnknownTask(error: unknown): boolean {
  return error instanceof RemoteError && error.code === ErrorCode.InvalidParams;
}
