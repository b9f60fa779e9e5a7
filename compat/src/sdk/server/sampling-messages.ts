import type { CreateMessageRequest } from "../messages.js";

type Messages = CreateMessageRequest["params"]["messages"];

/** @throws Error when the results of tools in the last message are not those that the message before it asks for */
export function assertToolMessages(messages: Messages): void {
  const last = blocksOf(messages.at(-1));
  const uses = blocksOf(messages.at(-2)).filter(({ type }) => type === "tool_use");
  const results = last.filter(({ type }) => type === "tool_result");
  if (results.length > 0 && results.length < last.length)
    throw new Error("The last message must contain only tool_result content if any is present");
  if (results.length > 0 && uses.length === 0)
    throw new Error("tool_result blocks are not matching any tool_use from the previous message");
  if (uses.length === 0) return;
  const used = new Set(uses.map(({ id }) => id));
  const answered = new Set(results.map(({ toolUseId }) => toolUseId));
  if (used.size !== answered.size || [...used].some((id) => !answered.has(id)))
    throw new Error("ids of tool_result blocks and tool_use blocks from previous message do not match");
}

interface Block {
  readonly type: string;
  readonly id?: unknown;
  readonly toolUseId?: unknown;
}

function blocksOf(message: Messages[number] | undefined): readonly Block[] {
  return message ? [message.content].flat() : [];
}
