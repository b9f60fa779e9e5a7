import type { Target } from "./target.js";

export interface Content {
  readonly type: string;
  readonly text?: string;
}

export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly progress: number; readonly message?: string }) => void;
}

/** The kinds of lists. */
export type ListName = "tools" | "resources" | "templates" | "prompts";

export interface ResourcePage {
  readonly names: readonly string[];
  readonly nextCursor: string | undefined;
}

/** A connected client of any implementation, with the operations that the features use. Each method can throw. */
export interface Driver {
  readonly revision: string | undefined;
  readonly serverName: string | undefined;
  readonly capabilities: object;
  call(name: string, args?: object, options?: CallOptions): Promise<ToolResult>;
  /** Calls a tool as a task, and passes on the statuses. Absent if the client does not support tasks. */
  readonly callTask?: (name: string, args: object, onStatus: (status: string) => void) => Promise<ToolResult>;
  /** The names of all items of a list. */
  list(what: ListName): Promise<readonly string[]>;
  /** One page of resources. */
  resourcePage(cursor?: string): Promise<ResourcePage>;
  read(uri: string): Promise<{ readonly text?: string; readonly blob?: string }>;
  /** The text of the first message. */
  prompt(name: string, args: Readonly<Record<string, string>>): Promise<string>;
  complete(
    ref: { readonly prompt: string } | { readonly template: string },
    argument: string,
    value: string,
  ): Promise<readonly string[]>;
  ping(): Promise<unknown>;
  /** Passes log messages of a level and above to the listener. */
  log(level: "info" | "warning", listener: (data: unknown) => void): Promise<unknown>;
  onChanged(what: "tools" | "resources", listener: () => void): Promise<unknown>;
  /** Returns a function that ends the subscription. */
  subscribe(uri: string, listener: () => void): Promise<() => Promise<unknown>>;
  /** Adds a root and notifies the server. Absent if the client does not support this. */
  readonly addRoot?: (uri: string) => void;
  close(): Promise<unknown>;
  /** Observations that help to explain a failure. */
  evidence(): string;
}

export type Open = (target: Target) => Promise<Driver>;

/** The responses of all clients to requests of servers. */
export const answers = {
  elicitation: { action: "accept" as const, content: { name: "Ada" } },
  sampling: {
    role: "assistant" as const,
    model: "a-model",
    stopReason: "endTurn",
    content: { type: "text" as const, text: "Well thought" },
  },
  roots: { roots: [{ uri: "file:///workspace", name: "workspace" }] },
};

/** The roots of a client, to which tests can add others. */
export function rootsOf({ folder }: Target): { uri: string; name?: string }[] {
  return folder === undefined ? [...answers.roots.roots] : [{ uri: `file://${folder}` }];
}

/** Repeats a call once when the user must visit URLs first, as a host does; the SDK leaves that to hosts. */
export async function visitingUrls<Result>(call: () => Promise<Result>): Promise<Result> {
  return call().catch((error: { readonly code?: unknown }) => {
    if (error.code !== -32042) throw error;
    return call();
  });
}
