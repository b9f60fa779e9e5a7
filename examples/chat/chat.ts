import type { Client } from "@mcpwright/runtime/client/core";
import type { ContentBlock } from "@mcpwright/protocol/2026-07-28";
import type { ChatModel, ToolCall, ToolDescription, ToolOutcome, Turn } from "./model.js";

export interface ChatOptions {
  readonly model: ChatModel;
  /** Connected clients, one per server. When two servers have a tool of the same name, the first one is used. */
  readonly clients: readonly Client[];
  /** Whether the user allows the tool call. */
  readonly approve: (call: ToolCall) => boolean | Promise<boolean>;
  /** Maximum number of consecutive rounds of tool calls per question. Default: 10. */
  readonly maxRounds?: number;
}

/** A conversation with a model that can use the tools of the servers. */
export class Chat {
  readonly #turns: Turn[] = [];

  constructor(readonly options: ChatOptions) {}

  /** Returns the model's reply, after it has called the tools that it needs. */
  async ask(question: string): Promise<string> {
    const { model, maxRounds = 10 } = this.options;
    const owners = await this.#tools();
    const tools = [...owners.values()].map(({ tool }) => tool);
    this.#turns.push({ role: "user", text: question });
    for (let round = 0; round < maxRounds; round++) {
      const turn = await model.reply(this.#turns, tools);
      this.#turns.push(turn);
      if (turn.calls.length === 0) return turn.text;
      const results = await Promise.all(turn.calls.map((call) => this.#run(call, owners.get(call.name)?.client)));
      this.#turns.push({ role: "tools", results });
    }
    return `The model requested more than ${maxRounds} rounds of tool calls`;
  }

  /** Lists the tools again for each question: servers can change them. The client caches lists for as long as servers allow. */
  async #tools(): Promise<Map<string, { readonly client: Client; readonly tool: ToolDescription }>> {
    const owners = new Map<string, { readonly client: Client; readonly tool: ToolDescription }>();
    for (const client of this.options.clients) {
      const { tools } = await client.listTools();
      for (const { name, description = "", inputSchema } of tools)
        if (!owners.has(name)) owners.set(name, { client, tool: { name, description, inputSchema } });
    }
    return owners;
  }

  async #run(call: ToolCall, client: Client | undefined): Promise<ToolOutcome> {
    const { id, name, args } = call;
    if (!client) return { id, text: `There is no tool ${name}`, isError: true };
    if (!(await this.options.approve(call))) return { id, text: "The user rejected this call", isError: true };
    try {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      return { id, text: content.map(textOf).join("\n"), isError };
    } catch (error) {
      // Report the error to the model, which can try something else.
      return { id, text: error instanceof Error ? error.message : String(error), isError: true };
    }
  }
}

/** Converts a content block to text, because this model receives text only. */
function textOf(block: ContentBlock): string {
  if (block.type === "text") return block.text;
  return block.type === "resource_link" ? block.uri : `[${block.type}]`;
}
