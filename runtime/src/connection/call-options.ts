import type { RequestId, RequestOptions } from "@mcpwright/protocol/contract";

export interface CallOptions extends RequestOptions {
  /** Whether progress restarts `timeoutMs`; `maxTotalMs` still applies. Default: `true`. */
  readonly resetTimeoutOnProgress?: boolean;
  /** The received request on whose behalf this one is sent. */
  readonly relatedRequestId?: RequestId;
  /** Called when the request is sent, with a function that cancels it: costs less than a signal. @internal */
  readonly onSent?: (cancel: (reason: unknown) => void) => void;
  /** Whether this is an input request whose capabilities have already been checked. @internal */
  readonly isChecked?: true;
}
