import type { ResultDescriptor, Side } from "@mcpwright/protocol/contract";
import { InvalidResultError, readResult } from "@mcpwright/protocol/support";
import { SdkError } from "../jsonrpc/errors.js";
import { applyTolerances } from "./apply-tolerances.js";
import type { Explanation } from "./explain-issues.js";

type Result = Record<string, unknown>;

/**
 * Reads a result by its schema. If that fails, applies the tolerances of the revision and tries again.
 * @throws InvalidResultError about the received result, when both attempts fail; its `rejected` is what the second one rejected
 */
export function readTolerantResult(
  method: string,
  row: ResultDescriptor,
  { receives }: Side,
  params: object | undefined,
  answer: unknown,
): Result {
  try {
    return readResult(method, row, receives.resultTag, params, answer) as Result;
  } catch (error) {
    try {
      return readResult(method, row, receives.resultTag, params, applyTolerances(answer, row, receives)) as Result;
    } catch (second) {
      const { reason, rejected } = error as InvalidResultError;
      throw new InvalidResultError(method, reason, answer, (second as InvalidResultError).rejected ?? rejected);
    }
  }
}

/** The `INVALID_RESULT` about an invalid result: `data` contains `issues` (empty if unknown) and `result`. */
export function invalidResultError(error: InvalidResultError, known: Explanation | undefined): SdkError {
  const { message, result } = error;
  const data = { issues: known?.issues ?? [], result };
  return new SdkError("INVALID_RESULT", known ? `${message}: ${known.text}` : message, data, { cause: error });
}
