/** A server whose tools, prompts and instructions a test changes, and the lock of what it shows at first. */
import { serverSides } from "@mcpwright/protocol/server-sides";
import { onTestFinished } from "vitest";
import { Client } from "../../../../runtime/src/client.js";
import { type Gateway, type GatewayLock, lockOf } from "../../../../runtime/src/gateway.js";
import { McpServer, type RegisteredPrompt, type RegisteredTool } from "../../../../runtime/src/server.js";
import { clientOf, type Revision, text } from "../../api/pair.js";
import { endOf } from "../in-memory.js";

export interface MailServer {
  readonly server: McpServer;
  readonly send: RegisteredTool;
  readonly list: RegisteredTool;
  readonly draft: RegisteredPrompt;
  /** The calls that arrived. */
  readonly calls: string[];
}

export function mailServer(revision: Revision, instructions = "Use mail well."): MailServer {
  const server = new McpServer(
    { name: "mail", version: "1.0.0" },
    {
      revisions: serverSides.filter((side) => side.revision === revision),
      instructions,
      onerror: () => undefined,
    },
  );
  const calls: string[] = [];
  const tool = (name: string, description: string): RegisteredTool =>
    server.registerTool(name, { description }, () => {
      calls.push(name);
      return text(`${name} was called`);
    });
  return {
    server,
    calls,
    send: tool("send", "Sends a mail."),
    list: tool("list", "Lists mails."),
    draft: server.registerPrompt("draft", { description: "Drafts a mail." }, () => ({
      messages: [{ role: "user", content: { type: "text", text: "Draft a mail." } }],
    })),
  };
}

/** The lock of what a server shows now, under the name `mail`. */
export async function lockOfMail({ server }: Pick<MailServer, "server">): Promise<GatewayLock> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(await endOf(server));
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const surface = { instructions: client.getInstructions() ?? "", tools, prompts };
  await client.close();
  return lockOf(new Map([["mail", surface]]));
}

/** Another client of a gateway. */
export async function anotherClient(gateway: Gateway, revision: Revision): Promise<Client> {
  const { client } = clientOf(revision);
  await client.connect(await endOf(gateway));
  onTestFinished(() => client.close());
  return client;
}

export const names = (items: readonly { readonly name: string }[]): string[] => items.map(({ name }) => name);
