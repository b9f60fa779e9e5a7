import { SdkError } from "./errors.js";

/** A store failed. @typeParam Reason why it can fail */
export abstract class StoreError<Reason extends string> extends SdkError {
  declare readonly data: { readonly reason: Reason };

  constructor(
    readonly reason: Reason,
    message: string,
    options?: ErrorOptions,
  ) {
    super("STORE_FAILED", message, { reason }, options);
  }
}
