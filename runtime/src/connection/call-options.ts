import type { RequestId, RequestOptions } from "@mcpwright/protocol/contract";

export interface CallOptions extends RequestOptions {
  /** Whether progress restarts `timeoutMs`; `maxTotalMs` still applies. Default: `true`. */
  readonly resetTimeoutOnProgress?: boolean;
  /** The received request on whose behalf this one is sent. */
  readonly relatedRequestId?: RequestId;
  /** Whether this is an input request whose capabilities have already been checked. @internal */
  readonly isChecked?: true;
}
