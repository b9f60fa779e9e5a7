import type { Client } from "@mcpwright/runtime/client";
import type { Listed, SessionData } from "./page-data.js";

/** The lists of the server, and why some of them could not be fetched. */
export type PageLists = Pick<SessionData, "tools" | "prompts" | "resources" | "resourceTemplates" | "problems">;
export type ListName = Exclude<keyof PageLists, "problems">;

/** Fetches one list. @returns undefined if the server does not offer it */
export async function fetchList(client: Client, name: ListName): Promise<readonly Listed[] | undefined> {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  switch (name) {
    case "tools":
      return tools && listed((await client.listTools()).tools);
    case "prompts":
      return prompts && listed((await client.listPrompts()).prompts);
    case "resources":
      return resources && listed((await client.listResources()).resources);
    case "resourceTemplates":
      return resources && listed((await client.listResourceTemplates()).resourceTemplates);
  }
}

function listed(items: readonly object[]): readonly Listed[] {
  return items as readonly Listed[];
}
