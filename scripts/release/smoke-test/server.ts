/** The server of the README. Argument: the transport. */
import { serveHttp } from "@mcpwright/runtime/node";
import { McpServer, ResourceTemplate } from "@mcpwright/runtime/server";
import { serveStdio } from "@mcpwright/runtime/stdio";
import { z } from "zod";

const server = new McpServer({ name: "trial", version: "1.0.0" });

server.registerTool(
  "add",
  { inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }) },
  ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }], structuredContent: { sum: a + b } }),
);
server.registerResource("note", new ResourceTemplate("note://{name}"), {}, ({ href }, { name }) => ({
  contents: [{ uri: href, text: `Note ${String(name)}` }],
}));
server.registerPrompt("greet", { argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
  messages: [{ role: "user", content: { type: "text", text: `Hello, ${name}` } }],
}));

if (process.argv[2] === "stdio") serveStdio(server);
else console.log(String((await serveHttp(server, { port: 0 })).url));
