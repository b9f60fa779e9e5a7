import { DiagnosticError, diagnostic, type Diagnostic } from "../diagnostics/diagnostic.js";
import type { ServerSession } from "./open-session.js";
import type { ServerLists } from "./server-lists.js";

type Note = (one: Diagnostic) => void;

/** Fetches all pages of every list that the server offers. A failed list does not affect the others. */
export async function listAll(session: ServerSession, note: Note): Promise<ServerLists> {
  const { client } = session;
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const fetch = <T>(what: string, list: () => Promise<readonly T[]>): Promise<readonly T[]> =>
    listOrNote(session, what, list, note);
  return {
    ...(tools && { tools: await fetch("tools", async () => (await client.listTools()).tools) }),
    ...(resources && {
      resources: await fetch("resources", async () => (await client.listResources()).resources),
      resourceTemplates: await fetch(
        "resource templates",
        async () => (await client.listResourceTemplates()).resourceTemplates,
      ),
    }),
    ...(prompts && { prompts: await fetch("prompts", async () => (await client.listPrompts()).prompts) }),
  };
}

/** Fetches a list. If it fails and the server is still connected, reports a note and returns an empty list. */
export async function listOrNote<T>(
  { client, run }: ServerSession,
  what: string,
  list: () => Promise<readonly T[]>,
  note: Note,
): Promise<readonly T[]> {
  try {
    return await run(what, list);
  } catch (error) {
    if (!(error instanceof DiagnosticError) || client.era === undefined) throw error;
    const reason = error.diagnostics.map(({ message }) => message).join("; ");
    note(diagnostic("server-list-failed", { what, reason }));
    return [];
  }
}
