import { toError } from "../jsonrpc/error-conversion.js";
import { McpError, RemoteError, SdkError, type SdkErrorCode } from "../jsonrpc/errors.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import type { ConnectionOptions } from "./connection-options.js";

type ErrorListener = Pick<ConnectionOptions, "onerror">;

/** What handlers let through, but are not to blame for: the peer is gone, or does not answer as it should. */
const connectionErrorCodes: readonly SdkErrorCode[] = [
  "NOT_CONNECTED",
  "REQUEST_CANCELLED",
  "REQUEST_TIMEOUT",
  "CONNECTION_CLOSED",
  "SEND_FAILED",
  "INVALID_MESSAGE",
];

/** Calls what the author has handed in to be told of something: what it throws, at once or later, ends nothing. */
export function callHook(hook: () => unknown, failed: (error: unknown) => void): void {
  try {
    const outcome = hook();
    if (isPromiseLike(outcome)) outcome.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}

/** Tells `onerror` of something that has nobody else to tell. */
export function reportTo(options: ErrorListener, error: unknown): void {
  if (options.onerror) callHook(() => options.onerror?.(toError(error)), nobody);
}

/** Reports what the author's own code has thrown. Where nobody listens it is printed: the peer is not told why. */
export function reportUserErrorTo(options: ErrorListener, error: unknown): void {
  if (options.onerror) return reportTo(options, error);
  if (error instanceof RemoteError || (error instanceof SdkError && connectionErrorCodes.includes(error.code))) return;
  // Of our own errors not the `data`, which may be what somebody sent. What is thrown may also refuse to be printed.
  // eslint-disable-next-line no-console -- nobody else would ever know
  callHook(() => console.error(error instanceof McpError ? error.stack : error), nobody);
}

function nobody(): void {
  // There is nobody left to tell.
}
