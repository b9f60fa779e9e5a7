/** Supports only HTTP. The tools report what handlers do not receive. */
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  InMemoryClientRequestAdapter,
  InMemorySessionAdapter,
  McpServer,
  RpcError,
  StreamableHttpTransport,
} from "mcp-lite";
import * as everything from "mcp-lite";
import { z } from "zod";
import {
  fateOf,
  hear,
  heard,
  info,
  input,
  known,
  question,
  resources,
  said,
  show,
  template,
  untilHeard,
} from "./fixture.js";
import { listen } from "./listen.js";

if (process.argv[2] === "stdio") {
  console.error(`it has no transport for stdio; its exports are ${Object.keys(everything).join(", ")}`);
  process.exit(1);
}

const server = new McpServer({ ...info, schemaAdapter: (schema) => z.toJSONSchema(schema as z.ZodType) });

// By default, the message is only "Internal error".
server.onError((error) => (error instanceof RpcError ? undefined : { code: -32603, message: String(error) }));

const withoutMeans = (what: string, context: object): ReturnType<typeof said> & { isError: true } => ({
  ...said(`a handler has no ${what}; its context has ${Object.keys(context).join(", ")}`),
  isError: true,
});

server.tool("add", {
  inputSchema: input.add,
  outputSchema: input.sum,
  handler: ({ a, b }) => ({ ...said(String(a + b)), structuredContent: { sum: a + b } }),
});
server.tool("show", {
  handler: () => ({
    content: [show.text, show.image, { type: "resource", resource: { type: "text", ...show.resource } }],
  }),
});
server.tool("fail", { handler: () => ({ ...said("It failed on purpose"), isError: true }) });
server.tool("count", {
  inputSchema: input.count,
  handler: async ({ to, key }, context) => {
    for (let progress = 1; progress <= to; progress++) {
      await context.progress?.({ progress, total: to });
      await untilHeard(key, progress);
    }
    return said("counted");
  },
});
server.tool("wait", { inputSchema: input.key, handler: (_, context) => withoutMeans("signal", context) });
server.tool("hear", { inputSchema: input.progress, handler: ({ key, progress }) => said(hear(key, progress)) });
server.tool("fate", { inputSchema: input.key, handler: ({ key }) => said(fateOf(key)) });
server.tool("log", { handler: (_, context) => withoutMeans("log", context) });
server.tool("touch", { handler: (_, context) => withoutMeans("way to send updates", context) });
let grown = 0;
server.tool("grow", {
  handler: () => {
    const name = `grown-${++grown}`;
    server.tool(name, { handler: () => said(name) });
    return said(name);
  },
});
server.tool("ask-model", {
  handler: async (_, context) => said(heard(await context.sample({ prompt: "Think", maxTokens: 10 }))),
});
server.tool("ask-name", {
  handler: async (_, context) =>
    said(known(await context.elicit({ message: question.message, schema: question.requestedSchema }))),
});
server.tool("ask-roots", { handler: (_, context) => withoutMeans("roots", context) });

for (const { name, uri, mimeType, ...body } of resources)
  server.resource(uri, { name, mimeType }, async () => ({
    contents: ["text" in body ? { uri, mimeType, type: "text" as const, ...body } : { uri, mimeType, ...body }],
  }));
server.resource(template, { name: "memo" }, async ({ href }, { name }) => ({
  contents: [{ uri: href, type: "text", text: `Memo ${String(name)}` }],
}));
server.prompt("greet", {
  arguments: input.name,
  handler: ({ name }: z.infer<typeof input.name>) => ({
    messages: [{ role: "user", content: { type: "text", text: `Hello, ${name}` } }],
  }),
});

const transport = new StreamableHttpTransport({
  sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 1_024 }),
  clientRequestAdapter: new InMemoryClientRequestAdapter(),
});
const fetch = transport.bind(server);
listen(toNodeHandler({ fetch: (request) => fetch(request) }));
