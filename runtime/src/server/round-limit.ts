import { SdkError } from "../jsonrpc/errors.js";
import type { ServerInternals } from "./contracts.js";

/** @throws SdkError `INPUT_REQUIRED_ROUNDS_EXCEEDED` when a request may not lead to that many rounds of questions */
export function checkRoundLimit(round: number, { maxRounds }: ServerInternals): void {
  if (round > maxRounds)
    throw new SdkError("INPUT_REQUIRED_ROUNDS_EXCEEDED", `a handler asked for input more than ${maxRounds} times`);
}
