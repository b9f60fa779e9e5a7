import type { CallOptions } from "../connection/call-options.js";

export interface SendOptions extends CallOptions {
  /** Whether to return an `input_required` result to the caller instead of answering it. Default: false. */
  readonly allowInputRequired?: boolean;
  /**
   * How the request uses the cache of the client, if it has one. `use`: a kept result is returned while it is fresh. `refresh`: the
   * server is asked, and its result kept. `bypass`: the server is asked, and the cache stays as it is. Default: `"use"`.
   */
  readonly cacheMode?: "use" | "refresh" | "bypass";
  /** Whether the result keeps the form of the revision in use. @internal */
  readonly isRaw?: true;
}

/** For requests whose caller answers the input requests. */
export interface AllowInputRequiredOptions extends SendOptions {
  readonly allowInputRequired: true;
}
