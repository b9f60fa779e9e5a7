import type { CallOptions } from "@mcpwright/runtime";
import type { Progress, RequestId } from "../types/index.js";
import type { TransportSendOptions } from "./transport.js";

/** Milliseconds without a response after which a request fails, unless its options set another time. */
export const DEFAULT_REQUEST_TIMEOUT_MSEC = 60_000;

export type ProgressCallback = (progress: Progress) => void;

/** The options of requests in both versions of the official SDK. */
export interface CommonRequestOptions {
  /** Requests progress notifications; called with each of them. */
  onprogress?: ProgressCallback | undefined;
  /** Cancels the request when aborted. */
  signal?: AbortSignal | undefined;
  /** Milliseconds without a response after which the request fails. Default: `60_000`. */
  timeout?: number | undefined;
  /** Whether progress restarts `timeout`. Default: `false`. */
  resetTimeoutOnProgress?: boolean | undefined;
  /** Milliseconds after which the request fails even if progress arrives. */
  maxTotalTimeout?: number | undefined;
}

export type RequestOptions = CommonRequestOptions & {
  /** Whether a result that asks for input is returned, not resolved. */
  allowInputRequired?: boolean | undefined;
} & TransportSendOptions;

export interface NotificationOptions {
  /** The received request that the notification belongs to. */
  relatedRequestId?: RequestId;
}

export interface ProtocolOptions {
  /** The protocol versions to support, the most preferred first. */
  supportedProtocolVersions?: string[];
  /** Whether requests are refused that need a capability which the peer has not declared. Default: `false`. */
  enforceStrictCapabilities?: boolean;
  /** Methods of notifications without params, of which one is sent for several in the same tick. */
  debouncedNotificationMethods?: string[];
}

/** The options of a call of the runtime for those of the official SDK. */
export function toCallOptions(options: RequestOptions = {}, relatedTo?: RequestId): CallOptions {
  const { onprogress, signal, timeout = DEFAULT_REQUEST_TIMEOUT_MSEC, relatedRequestId = relatedTo } = options;
  return {
    timeoutMs: timeout,
    maxTotalMs: options.maxTotalTimeout ?? (options.resetTimeoutOnProgress ? Infinity : timeout),
    resetTimeoutOnProgress: options.resetTimeoutOnProgress ?? false,
    ...(onprogress && { onProgress: onprogress }),
    ...(signal && { signal }),
    ...(relatedRequestId !== undefined && { relatedRequestId }),
  };
}
