import { SdkError as NativeSdkError } from "@mcpwright/runtime/errors";
import { SdkError, SdkErrorCode, SdkHttpError, toOfficialError } from "../shared/errors.js";
import type { RequestOptions } from "../shared/request-options.js";

interface HttpErrorData {
  readonly status: number;
  readonly body: string;
}

/** Converts an error of the runtime's client to the one that the official SDK throws in its place. */
export function toClientError(error: unknown): unknown {
  if (!(error instanceof NativeSdkError)) return toOfficialError(error);
  const { code, cause } = error;
  // The official SDK passes on errors of `fetch` and of providers as they are.
  if (code === "SEND_FAILED" && cause instanceof Error) return toClientError(cause);
  if (code !== "HTTP_ERROR") return toOfficialError(error);
  const { status, body: text } = error.data as HttpErrorData;
  const what = `Error POSTing to endpoint: ${text}`;
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, what, { status, text }, { cause: error });
}

/** The error of a request whose options may have aborted it. */
export function toRequestError(error: unknown, options: RequestOptions | undefined): unknown {
  const { signal } = options ?? {};
  if (!signal?.aborted || error !== signal.reason) return toClientError(error);
  return error instanceof SdkError ? error : new SdkError(SdkErrorCode.RequestTimeout, String(error));
}
