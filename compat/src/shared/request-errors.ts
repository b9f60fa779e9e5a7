import { SdkError as NativeSdkError } from "@mcpwright/runtime/errors";
import { SdkError, SdkErrorCode, toOfficialError } from "./errors.js";
import type { CommonRequestOptions } from "./request-options.js";

/**
 * Converts the error of a request, which its options may have ended.
 * @param startedAt `performance.now()` when it was sent
 */
export function toRequestError(error: unknown, options: CommonRequestOptions = {}, startedAt = Infinity): unknown {
  const { signal } = options;
  if (signal?.aborted && error === signal.reason)
    return error instanceof SdkError ? error : new SdkError(SdkErrorCode.RequestTimeout, String(error));
  const { maxTotalTimeout } = options;
  const totalElapsed = Math.round(performance.now() - startedAt);
  const isTotal = maxTotalTimeout !== undefined && totalElapsed >= maxTotalTimeout;
  if (isTotal && error instanceof NativeSdkError && error.code === "REQUEST_TIMEOUT")
    return new SdkError(
      SdkErrorCode.RequestTimeout,
      "Maximum total timeout exceeded",
      { maxTotalTimeout, totalElapsed },
      { cause: error },
    );
  return toOfficialError(error);
}
