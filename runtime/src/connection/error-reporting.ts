import { toError } from "../jsonrpc/error-conversion.js";
import { McpError, ProtocolError, RemoteError, SdkError, type SdkErrorCode } from "../jsonrpc/errors.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import type { ConnectionOptions } from "./connection-options.js";

type ErrorListener = Pick<ConnectionOptions, "onerror">;

/** Errors that handlers pass on but did not cause: the peer is gone, or its response is invalid. */
const connectionErrorCodes: readonly SdkErrorCode[] = [
  "NOT_CONNECTED",
  "REQUEST_CANCELLED",
  "REQUEST_TIMEOUT",
  "CONNECTION_CLOSED",
  "SEND_FAILED",
  "INVALID_MESSAGE",
];

/** Whether an error that is reported is the fault of the peer or the network, and not of the program. */
export function isPeerFault(error: Error): boolean {
  const { code } = error as { readonly code?: unknown };
  return error instanceof ProtocolError || code === "LIMIT_EXCEEDED" || connectionErrorCodes.includes(code as never);
}

/** Calls a hook of the user. Passes an error that it throws, or a rejection of its promise, to `failed`. */
export function callHook(hook: () => unknown, failed: (error: unknown) => void): void {
  try {
    const outcome = hook();
    if (isPromiseLike(outcome)) outcome.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}

/** Reports an error to `onerror`. */
export function reportTo(options: ErrorListener, error: unknown): void {
  if (options.onerror) callHook(() => options.onerror?.(toError(error)), nobody);
}

/** Reports an error of the user's code. Without `onerror` it is printed, because the peer does not receive the reason. */
export function reportUserErrorTo(options: ErrorListener, error: unknown): void {
  if (options.onerror) return reportTo(options, error);
  if (error instanceof RemoteError || (error instanceof SdkError && connectionErrorCodes.includes(error.code))) return;
  // Of our own errors only the stack: `data` may be input of a peer. Printing another thrown value may throw, too.
  // eslint-disable-next-line no-console -- the error would otherwise be lost
  callHook(() => console.error(error instanceof McpError ? error.stack : error), nobody);
}

function nobody(): void {
  // A failure of the error hook cannot be reported.
}
