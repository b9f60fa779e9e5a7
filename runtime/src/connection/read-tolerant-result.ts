import type { Receives, ResultDescriptor } from "@mcpwright/protocol/contract";
import { readResult } from "@mcpwright/protocol/support";
import { applyTolerances } from "./apply-tolerances.js";

type Result = Record<string, unknown>;

/**
 * Reads a result as its schema has it or, failing that, as its sender must have meant it.
 * @throws InvalidResultError about the answer as it came, when it cannot be read either way
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
