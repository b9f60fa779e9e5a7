import type { CallToolResult } from "@mcpwright/protocol/2026-07-28";

/** The text of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === "text" ? block.text : `(${block.type})`)).join("\n");
}
