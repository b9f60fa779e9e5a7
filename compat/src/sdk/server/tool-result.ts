import { isCallToolResult, isCreateTaskResult } from "@mcpwright/protocol/2025-11-25";
import type { Result } from "../messages.js";
import { ErrorCode, McpError } from "../errors.js";

/**
 * Returns the result of a tool, with the content that every result has.
 * @throws McpError (or rejects) when the result is invalid
 */
export function checkedToolResult(result: unknown, isTask: boolean): Result | Promise<Result> {
  if (isTask) {
    if (isCreateTaskResult(result)) return result;
    throw new McpError(ErrorCode.InvalidParams, "Invalid task creation result: it has no valid task");
  }
  const { content } = Object(result) as { readonly content?: unknown };
  const complete: unknown = content === undefined ? { content: [], ...(result as object) } : result;
  return isCallToolResult(complete) ? complete : rejectResult(complete);
}

async function rejectResult(result: unknown): Promise<never> {
  const { checkCallToolResult } = await import("@mcpwright/protocol/2025-11-25/issues");
  const problems = checkCallToolResult(result).map(
    ({ path, expected, received }) => `${path.join(".")} must be ${expected}, not ${received}`,
  );
  throw new McpError(ErrorCode.InvalidParams, `Invalid tools/call result: ${problems.join("; ")}`);
}
