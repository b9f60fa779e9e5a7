import { onTestFinished } from "vitest";
import { z } from "zod";
import { Client, type ClientOptions } from "../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { serveHttp } from "../../../runtime/src/node.js";
import { openTelemetry, type OpenTelemetryOptions } from "../../../runtime/src/otel.js";
import { McpServer, type McpServerOptions } from "../../../runtime/src/server.js";
import { InMemoryTransport } from "../../../runtime/src/transport/in-memory.js";
import type { Transport } from "../../../runtime/src/transport/transport.js";

export const eras = ["handshake", "stateless"] as const;
export type Era = (typeof eras)[number];

/** How a client reaches the server. */
export const ways = ["in memory", "over HTTP"] as const;
export type Way = (typeof ways)[number];

const info = { version: "1.0.0" };
const requestedSchema = { type: "object" as const, properties: { name: { type: "string" as const } } };

/** A server with one of everything. */
export function createServer(options: McpServerOptions): McpServer {
  const server = new McpServer(
    { name: "server", ...info },
    { capabilities: { resources: { subscribe: true }, logging: {} }, onerror: () => undefined, ...options },
  );
  const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
  server.registerTool("add", { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
    ...text(String(a + b)),
    structuredContent: { sum: a + b },
  }));
  server.registerTool("fail", {}, () => ({ ...text("no"), isError: true }));
  server.registerTool("report", {}, (context) => {
    context.progress({ progress: 1 });
    return text("done");
  });
  server.registerTool("greet", {}, async (context) => {
    const { content } = await context.elicit("name", { message: "Who?", requestedSchema });
    return text(`Hello, ${String(content?.["name"])}`);
  });
  server.registerTool("wait", {}, async ({ signal }) => {
    await new Promise((_, reject) =>
      signal.addEventListener("abort", () => {
        reject(signal.reason as Error);
      }),
    );
    return text("never");
  });
  server.registerResource("note", "note://one", {}, ({ href }) => ({ contents: [{ uri: href, text: "1" }] }));
  server.registerPrompt(
    "review",
    { argsSchema: z.object({ language: z.string() }), complete: { language: () => ["de"] } },
    ({ language }) => ({
      messages: [{ role: "user", content: { type: "text", text: language } }],
    }),
  );
  return server;
}

export function createClient(options: ClientOptions): Client {
  const client = new Client(
    { name: "client", ...info },
    { capabilities: { elicitation: {} }, onerror: () => undefined, ...options },
  );
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
  return client;
}

/** Returns a transport to a server, which is closed at the end of the test. */
export async function reach(server: McpServer, way: Way): Promise<Transport> {
  if (way === "over HTTP") {
    const served = await serveHttp(server, { port: 0, graceMs: 0 });
    onTestFinished(async () => {
      served.server.closeAllConnections();
      await served.close();
    });
    return new StreamableHTTPClientTransport(served.url);
  }
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  onTestFinished(() => server.close(0));
  return near;
}

/** A client and a server that record by the same options, connected. */
export async function connected(
  options: OpenTelemetryOptions,
  { era, way = "in memory" }: { readonly era: Era; readonly way?: Way },
  more: { readonly server?: McpServerOptions; readonly client?: ClientOptions } = {},
): Promise<{ readonly client: Client; readonly server: McpServer }> {
  const telemetry = openTelemetry(options);
  const server = createServer({ telemetry, ...more.server });
  const client = createClient({ telemetry, ...more.client });
  await client.connect(await reach(server, way), { era });
  onTestFinished(() => client.close());
  return { client, server };
}
