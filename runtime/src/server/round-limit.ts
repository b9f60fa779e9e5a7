import { SdkError } from "../jsonrpc/errors.js";
import type { ServerInternals } from "./contracts.js";

/** @throws SdkError `INPUT_REQUIRED_ROUNDS_EXCEEDED` when a request has more rounds of input requests than `maxRounds` */
export function checkRoundLimit(round: number, { maxRounds }: ServerInternals): void {
  if (round > maxRounds)
    throw new SdkError(
      "INPUT_REQUIRED_ROUNDS_EXCEEDED",
      `a handler requested input in more than ${maxRounds} rounds; raise maxRounds if that is intended`,
    );
}
