/** One turn of a conversation, independent of the model. */
export type Turn =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "model"; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: "tools"; readonly results: readonly ToolOutcome[] };

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface ToolOutcome {
  /** Id of the call. */
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** Implement this interface to use another language model. */
export interface ChatModel {
  /** Returns the model's next turn. If it contains calls, the chat runs them and calls `reply` again with the results. */
  reply(turns: readonly Turn[], tools: readonly ToolDescription[]): Promise<Turn & { readonly role: "model" }>;
}
