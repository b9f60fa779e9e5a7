/** Argument: the transport. Over HTTP, it serves `/mcp`, `/json` (the same with JSON responses) and `/sse`. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { completable } from "@modelcontextprotocol/sdk/server/completable.js";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ErrorCode,
  ListResourcesRequestSchema,
  McpError,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import {
  fateOf,
  hear,
  heard,
  info,
  input,
  instructions,
  known,
  listed,
  memos,
  names,
  pageOf,
  prompt,
  question,
  resources,
  said,
  show,
  startingWith,
  template,
  untilAborted,
  untilHeard,
} from "./fixture.js";
import { listen } from "./listen.js";

function newServer(): McpServer {
  const mcp = new McpServer(info, { capabilities: { logging: {}, resources: { subscribe: true } }, instructions });
  const { server } = mcp;
  const subscribed = new Set<string>();

  mcp.registerTool("add", { inputSchema: input.add.shape, outputSchema: input.sum.shape }, ({ a, b }) => ({
    ...said(String(a + b)),
    structuredContent: { sum: a + b },
  }));
  mcp.registerTool("show", {}, () => ({
    content: [show.text, show.image, { type: "resource", resource: show.resource }],
  }));
  mcp.registerTool("fail", {}, () => {
    throw new Error("It failed on purpose");
  });
  mcp.registerTool("count", { inputSchema: input.count.shape }, async ({ to, key }, { _meta, sendNotification }) => {
    const { progressToken } = _meta ?? {};
    if (progressToken === undefined) return said("no progress token");
    for (let progress = 1; progress <= to; progress++) {
      await sendNotification({ method: "notifications/progress", params: { progressToken, progress, total: to } });
      await untilHeard(key, progress);
    }
    return said("counted");
  });
  mcp.registerTool("wait", { inputSchema: input.key.shape }, async ({ key }, { signal }) => {
    await untilAborted(key, signal);
    return said("done");
  });
  mcp.registerTool("hear", { inputSchema: input.progress.shape }, ({ key, progress }) => said(hear(key, progress)));
  mcp.registerTool("fate", { inputSchema: input.key.shape }, ({ key }) => said(fateOf(key)));
  mcp.registerTool("log", {}, async ({ sessionId }) => {
    await mcp.sendLoggingMessage({ level: "debug", data: "quiet" }, sessionId);
    await mcp.sendLoggingMessage({ level: "error", data: "loud" }, sessionId);
    return said("logged");
  });
  mcp.registerTool("touch", {}, async () => {
    if (subscribed.has("note://counter")) await server.sendResourceUpdated({ uri: "note://counter" });
    return said("touched");
  });
  let grown = 0;
  mcp.registerTool("grow", {}, () => {
    const name = `grown-${++grown}`;
    mcp.registerTool(name, {}, () => said(name));
    return said(name);
  });
  mcp.registerTool("ask-model", {}, async ({ requestId }) =>
    said(heard(await server.createMessage(prompt, { relatedRequestId: requestId }))),
  );
  mcp.registerTool("ask-name", {}, async ({ requestId }) =>
    said(known(await server.elicitInput({ mode: "form", ...question }, { relatedRequestId: requestId }))),
  );
  mcp.registerTool("ask-roots", {}, async ({ requestId }) =>
    said(listed((await server.listRoots({}, { relatedRequestId: requestId })).roots)),
  );

  for (const { name, uri, mimeType, ...body } of resources)
    mcp.registerResource(name, uri, { mimeType }, () => ({ contents: [{ uri, mimeType, ...body }] }));
  mcp.registerResource(
    "memo",
    new ResourceTemplate(template, {
      list: undefined,
      complete: { name: (value) => startingWith(memos, value) },
    }),
    {},
    ({ href }, { name }) => ({ contents: [{ uri: href, text: `Memo ${String(name)}` }] }),
  );
  mcp.registerPrompt(
    "greet",
    { argsSchema: { name: completable(z.string(), (value) => startingWith(names, value)) } },
    ({ name }) => ({ messages: [{ role: "user", content: { type: "text", text: `Hello, ${name}` } }] }),
  );

  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  // By default, it returns complete lists.
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => {
    try {
      const { items, ...next } = pageOf(resources, params?.cursor);
      return { resources: items.map(({ name, uri, mimeType }) => ({ name, uri, mimeType })), ...next };
    } catch (error) {
      throw new McpError(ErrorCode.InvalidParams, String(error));
    }
  });
  return mcp;
}

const streams = new Map<string, StreamableHTTPServerTransport>();
const links = new Map<string, SSEServerTransport>();

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "", "http://127.0.0.1");
  if (url.pathname === "/sse") {
    const transport = new SSEServerTransport("/messages", response);
    links.set(transport.sessionId, transport);
    await newServer().connect(transport);
  } else if (url.pathname === "/messages") {
    await links.get(url.searchParams.get("sessionId") ?? "")?.handlePostMessage(request, response);
  } else {
    const id = request.headers["mcp-session-id"];
    const transport = typeof id === "string" ? streams.get(id) : await newSession(url.pathname === "/json");
    if (transport) await transport.handleRequest(request, response);
    else response.writeHead(404).end();
  }
}

async function newSession(enableJsonResponse: boolean): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse,
    onsessioninitialized: (id) => void streams.set(id, transport),
  });
  // Its optional members do not allow `undefined`.
  await newServer().connect(transport as Transport);
  return transport;
}

if (process.argv[2] === "stdio") await newServer().connect(new StdioServerTransport());
else listen(serve);
