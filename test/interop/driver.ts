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

/** What a list holds; the names that programs use. */
export type ListName = "tools" | "resources" | "templates" | "prompts";

export interface ResourcePage {
  readonly names: readonly string[];
  readonly nextCursor: string | undefined;
}

/** A connected client, whoever wrote it, in the terms in which features are tried. Each method may throw. */
export interface Driver {
  readonly revision: string | undefined;
  readonly serverName: string | undefined;
  readonly capabilities: object;
  call(name: string, args?: object, options?: CallOptions): Promise<ToolResult>;
  /** All of a list. */
  list(what: ListName): Promise<readonly string[]>;
  /** One page, as it comes. */
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
  /** Hears log messages of a level and above. */
  log(level: "info" | "warning", listener: (data: unknown) => void): Promise<unknown>;
  onChanged(what: "tools" | "resources", listener: () => void): Promise<unknown>;
  /** Returns what ends it. */
  subscribe(uri: string, listener: () => void): Promise<() => Promise<unknown>>;
  /** Shows servers one folder more, and tells them. Absent: it cannot. */
  readonly addRoot?: (uri: string) => void;
  close(): Promise<unknown>;
  /** What was seen on the way, to explain what goes wrong. */
  evidence(): string;
}

export type Open = (target: Target) => Promise<Driver>;

/** What all clients answer servers with. */
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
