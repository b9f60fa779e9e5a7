/** What a conversation consists of, whichever model it is with. */
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
  /** That of the call. */
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** Puts any language model behind the chat. */
export interface ChatModel {
  /** The next turn of the model; while it has calls, they are run and it is asked again. */
  reply(turns: readonly Turn[], tools: readonly ToolDescription[]): Promise<Turn & { readonly role: "model" }>;
}
