import type { CallOptions } from "../connection/call-options.js";

export interface SendOptions extends CallOptions {
  /** Whether to return an `input_required` result to the caller instead of answering it. Default: false. */
  readonly allowInputRequired?: boolean;
  /** Whether the result keeps the form of the revision in use. @internal */
  readonly isRaw?: true;
}

/** For requests whose caller answers the input requests. */
export interface AllowInputRequiredOptions extends SendOptions {
  readonly allowInputRequired: true;
}
