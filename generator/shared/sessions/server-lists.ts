import type { Client } from "@mcpwright/runtime/client";

/** The lists of a server. Lists that it does not offer are absent. */
export interface ServerLists {
  readonly tools?: readonly ListedTool[];
  readonly resources?: readonly ListedResource[];
  readonly resourceTemplates?: readonly ListedTemplate[];
  readonly prompts?: readonly ListedPrompt[];
}

type ListResult<Method extends "listTools" | "listResources" | "listResourceTemplates" | "listPrompts"> = Awaited<
  ReturnType<Client[Method]>
>;

export type ListedTool = ListResult<"listTools">["tools"][number];
export type ListedResource = ListResult<"listResources">["resources"][number];
export type ListedTemplate = ListResult<"listResourceTemplates">["resourceTemplates"][number];
export type ListedPrompt = ListResult<"listPrompts">["prompts"][number];
