import { z } from "zod";
import type { ChatModel, Turn } from "./model.js";

const Reply = z.object({
  content: z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("text"), text: z.string() }),
      z.object({
        type: z.literal("tool_use"),
        id: z.string(),
        name: z.string(),
        input: z.record(z.string(), z.unknown()),
      }),
    ]),
  ),
});

export interface AnthropicOptions {
  /** Is never printed. */
  readonly apiKey: string;
  readonly model: string;
  /** Default: `https://api.anthropic.com`. */
  readonly baseUrl?: string;
}

/** A model that is called through Anthropic's Messages API. */
export function anthropic({ apiKey, model, baseUrl = "https://api.anthropic.com" }: AnthropicOptions): ChatModel {
  return {
    async reply(turns, tools) {
      const response = await fetch(new URL("/v1/messages", baseUrl), {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Api-Key": apiKey, "Anthropic-Version": "2023-06-01" },
        body: JSON.stringify({
          model,
          max_tokens: 1_000,
          messages: turns.map(messageOf),
          tools: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
        }),
      });
      if (!response.ok) throw new Error(`The model API responded with ${response.status}: ${await response.text()}`);
      const { content } = Reply.parse(await response.json());
      return {
        role: "model",
        text: content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n"),
        calls: content.flatMap((block) =>
          block.type === "tool_use" ? [{ id: block.id, name: block.name, args: block.input }] : [],
        ),
      };
    },
  };
}

function messageOf(turn: Turn): object {
  switch (turn.role) {
    case "user":
      return { role: "user", content: turn.text };
    case "model":
      return {
        role: "assistant",
        content: [
          ...(turn.text === "" ? [] : [{ type: "text", text: turn.text }]),
          ...turn.calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args })),
        ],
      };
    case "tools":
      return {
        role: "user",
        content: turn.results.map(({ id, text, isError }) => ({
          type: "tool_result",
          tool_use_id: id,
          content: text,
          is_error: isError,
        })),
      };
  }
}
