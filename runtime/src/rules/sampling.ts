import { isObject } from "../jsonrpc/guards.js";

/** The members of a sampling message that the rules read. */
export interface SamplingTurn {
  readonly role: string;
  /** One content block or several. */
  readonly content: unknown;
}

/** The content blocks of a sampling message or result, which contains one block or a list (MCP, sampling: messages). */
export function contentBlocks<Block>(content: Block | readonly Block[]): readonly Block[] {
  return Array.isArray(content) ? (content as readonly Block[]) : [content as Block];
}

/**
 * Checks that each tool use has a tool result (MCP, sampling: message content constraints). The message after an assistant
 * message with tool uses must be a user message that contains only their results, one each, in any order. Later turns may
 * repeat ids.
 * @returns the message of the "invalid params" error, if there is a problem
 */
export function checkSamplingMessages(messages: readonly SamplingTurn[]): string | undefined {
  let awaited = new Set<unknown>();
  for (const { role, content } of messages) {
    const blocks = contentBlocks(content);
    const uses = idsOf(blocks, "tool_use", "id");
    const results = idsOf(blocks, "tool_result", "toolUseId");
    if (results.length > 0 && results.length < blocks.length) return "Tool results mixed with other content";
    if (results.length > 0 && role !== "user") return "Tool result in a message that is not the user's";
    if (uses.length > 0 && role !== "assistant") return "Tool use in a message that is not the assistant's";
    for (const id of results) {
      if (!awaited.delete(id)) return "Tool result without a tool use right before it";
    }
    if (awaited.size > 0) return "Tool result missing in request";
    awaited = new Set(uses);
    if (awaited.size < uses.length) return "Tool uses of one message share an id";
  }
  return awaited.size > 0 ? "Tool result missing in request" : undefined;
}

function idsOf(blocks: readonly unknown[], type: string, member: string): unknown[] {
  return blocks.flatMap((block) => (isObject(block) && block["type"] === type ? [block[member]] : []));
}
