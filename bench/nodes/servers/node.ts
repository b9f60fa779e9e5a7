/** A node. Arguments: the kind of requests, the form of the replies, and the URL of Redis; without it, the server has no backplane. */
import { serveHttp } from "@mcpwright/runtime/node";
import { redisBackplane } from "@mcpwright/runtime/redis";
import { McpServer, type McpServerOptions } from "@mcpwright/runtime/server";
import { createClient } from "redis";
import { host, reply, tellPort } from "../../http/servers/form.js";
import { description, info, inputSchema, priceOf } from "../../shared/booking.js";
import { asking, done, metaUri, touching } from "../names.js";

const [, , , , url] = process.argv;

async function shared(redisUrl: string): Promise<McpServerOptions> {
  const client = createClient({ url: redisUrl });
  client.on("error", (error) => console.error(error));
  await client.connect();
  const stateKeys = [{ id: "bench", key: new Uint8Array(32).fill(1) }];
  return { backplane: redisBackplane(client, { prefix: "bench:" }), stateKeys };
}

const server = new McpServer(info, {
  capabilities: { resources: { subscribe: true } },
  ...(url !== undefined && (await shared(url))),
});
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
server.registerTool("book", { description, inputSchema }, async (booking) => text(priceOf(booking)));
server.registerTool(asking, {}, async (context) => {
  const requestedSchema = { type: "object" as const, properties: { city: { type: "string" as const } } };
  const { action } = await context.elicit("city", { message: "Which city?", requestedSchema });
  return text(action === "accept" ? done : action);
});
server.registerTool(touching, {}, (context) => {
  server.sendResourceUpdated({ uri: String(context._meta[metaUri]) });
  return text(done);
});
server.registerResource("note", "bench://note", {}, (uri) => ({ contents: [{ uri: uri.href, text: "" }] }));

const responseMode = reply === "sse" ? "sse" : "auto";
const served = await serveHttp(server, { port: 0, host, path: "/mcp", responseMode });
tellPort(Number(served.url.port));
