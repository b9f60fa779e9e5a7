import type { Receives, ResultDescriptor } from "@mcpwright/protocol/contract";
import { readResult } from "@mcpwright/protocol/support";
import { applyTolerances } from "./apply-tolerances.js";

type Result = Record<string, unknown>;

/**
 * Reads a result by its schema. If that fails, applies the tolerances of the revision and tries again.
 * @throws InvalidResultError about the received result, when both attempts fail
 */
export function readTolerantResult(
  method: string,
  row: ResultDescriptor,
  receives: Receives,
  params: object | undefined,
  answer: unknown,
): Result {
  try {
    return readResult(method, row, receives.resultTag, params, answer) as Result;
  } catch (error) {
    try {
      return readResult(method, row, receives.resultTag, params, applyTolerances(answer, row, receives)) as Result;
    } catch {
      throw error;
    }
  }
}
