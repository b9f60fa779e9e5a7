import type { RequestId, RequestOptions } from "@mcpwright/protocol/contract";

export interface CallOptions extends RequestOptions {
  /** Progress restarts `timeoutMs`; `maxTotalMs` holds in any case. Default true. */
  readonly resetTimeoutOnProgress?: boolean;
  /** The received request on whose behalf this one is sent. */
  readonly relatedRequestId?: RequestId;
  /** It is a question, and the peer is known to offer what it needs. @internal */
  readonly isChecked?: true;
}
