import { McpServer, type McpServerOptions, sessionKey } from "@mcpwright/runtime/server";
import { z } from "zod";
import { textResult } from "../text-result.js";

/** A text that all nodes share: here in Redis, otherwise in a database. */
export interface SharedNote {
  read(): Promise<string>;
  write(text: string): Promise<void>;
}

const uri = "note://shared";
const calls = sessionKey<number>("calls");

/** The server, as every node creates it. @param node the name of the node */
export function clusterServer(node: string, note: SharedNote, options: McpServerOptions): McpServer {
  const server = new McpServer(
    { name: "cluster", version: "1.0.0" },
    { ...options, capabilities: { resources: { subscribe: true } } },
  );

  server.registerTool("where", { description: "The node that serves this call" }, () => textResult(node));

  server.registerTool("count", { description: "Counts the calls of this session" }, async ({ session }) => {
    if (!session) return textResult("requests of this revision have no session");
    return textResult(`call ${await session.store.update(calls, (before = 0) => before + 1)}`);
  });

  server.registerTool("greet", { description: "Asks for your name, and greets you" }, async (context) => {
    const { action, content } = await context.elicit("name", {
      message: "What is your name?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    });
    return textResult(action === "accept" ? `Hello, ${String(content?.["name"])}` : "Hello");
  });

  server.registerTool(
    "write",
    {
      description: "Writes the note that all clients can read",
      inputSchema: z.object({ text: z.string().max(1_000) }),
    },
    async ({ text }) => {
      await note.write(text);
      server.sendResourceUpdated({ uri });
      return textResult("written");
    },
  );

  server.registerResource("note", uri, { mimeType: "text/plain" }, async () => ({
    contents: [{ uri, text: await note.read() }],
  }));
  return server;
}
