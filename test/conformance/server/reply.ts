import type { ToolResult } from "@mcpwright/runtime/server";

/** A tool's result of one sentence. */
export function reply(text: string): ToolResult {
  return { content: [{ type: "text", text }] };
}
