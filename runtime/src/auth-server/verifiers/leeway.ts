import { SdkError } from "../../jsonrpc/errors.js";

/** Tokens that have expired longer ago are not accepted from any verifier. */
export const maxLeewaySeconds = 300;

/**
 * Returns the option `leewaySeconds`, or its default of 30.
 * @throws SdkError `INVALID_CONFIGURATION` when it is more than 300
 */
export function leewayOption(given = 30): number {
  if (given <= maxLeewaySeconds) return given;
  throw new SdkError(
    "INVALID_CONFIGURATION",
    `leewaySeconds must be ${maxLeewaySeconds} or less, not ${given}: synchronize the clocks instead`,
  );
}
