/**
 * Argument: the transport. Over HTTP, `/mcp` serves the stateless era and, in sessions, the others; `/stateless` serves all
 * of them with the defaults of `createMcpHandler`.
 */
import { randomUUID } from "node:crypto";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  completable,
  createMcpHandler,
  inputRequired,
  inputResponse,
  isLegacyRequest,
  type McpHttpHandler,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
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
  visit,
  visited,
} from "./fixture.js";
import { listen } from "./listen.js";

/** Some servers exist only during one request, so the state is kept here. */
let grown = 0;
let notify: McpHttpHandler["notify"] | undefined;

interface Kind {
  readonly era: "legacy" | "modern";
}

function newServer({ era }: Kind): McpServer {
  const mcp = new McpServer(info, {
    capabilities: { logging: {}, resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } },
    instructions,
  });
  const { server } = mcp;
  const subscribed = new Set<string>();

  mcp.registerTool("add", { inputSchema: input.add, outputSchema: input.sum }, ({ a, b }) => ({
    ...said(String(a + b)),
    structuredContent: { sum: a + b },
  }));
  mcp.registerTool("show", {}, () => ({
    content: [show.text, show.image, { type: "resource", resource: show.resource }],
  }));
  mcp.registerTool("fail", {}, () => {
    throw new Error("It failed on purpose");
  });
  mcp.registerTool("count", { inputSchema: input.count }, async ({ to, key }, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined) return said("no progress token");
    for (let progress = 1; progress <= to; progress++) {
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: to } });
      await untilHeard(key, progress);
    }
    return said("counted");
  });
  mcp.registerTool("wait", { inputSchema: input.key }, async ({ key }, { mcpReq }) => {
    await untilAborted(key, mcpReq.signal);
    return said("done");
  });
  mcp.registerTool("hear", { inputSchema: input.progress }, ({ key, progress }) => said(hear(key, progress)));
  mcp.registerTool("fate", { inputSchema: input.key }, ({ key }) => said(fateOf(key)));
  mcp.registerTool("log", {}, async ({ mcpReq }) => {
    await mcpReq.log("debug", "quiet");
    await mcpReq.log("error", "loud");
    return said("logged");
  });
  mcp.registerTool("touch", {}, async () => {
    if (era === "modern" && notify) notify.resourceUpdated("note://counter");
    else if (era === "modern" || subscribed.has("note://counter"))
      await server.sendResourceUpdated({ uri: "note://counter" });
    return said("touched");
  });
  mcp.registerTool("grow", {}, () => {
    const name = `grown-${++grown}`;
    mcp.registerTool(name, {}, () => said(name));
    if (era === "modern") notify?.toolsChanged();
    return said(name);
  });
  for (let number = 1; number <= grown; number++)
    mcp.registerTool(`grown-${number}`, {}, () => said(`grown-${number}`));
  mcp.registerTool("ask-model", {}, async ({ mcpReq }) => {
    if (era === "legacy") return said(heard(await mcpReq.requestSampling(prompt)));
    const answer = inputResponse(mcpReq.inputResponses, "thought");
    if (answer.kind === "sampling") return said(heard(answer.result));
    return inputRequired({ inputRequests: { thought: inputRequired.createMessage(prompt) } });
  });
  mcp.registerTool("ask-name", {}, async ({ mcpReq }) => {
    if (era === "legacy") return said(known(await mcpReq.elicitInput({ mode: "form", ...question })));
    const answer = inputResponse(mcpReq.inputResponses, "name");
    if (answer.kind === "elicit") return said(known(answer));
    return inputRequired({ inputRequests: { name: inputRequired.elicit({ ...question }) }, requestState: "asked" });
  });
  mcp.registerTool("ask-visit", {}, async ({ mcpReq }) => {
    if (era === "legacy")
      return said(visited(await mcpReq.elicitInput({ mode: "url", ...visit, elicitationId: randomUUID() })));
    const answer = inputResponse(mcpReq.inputResponses, "visit");
    if (answer.kind === "elicit") return said(visited(answer));
    return inputRequired({ inputRequests: { visit: inputRequired.elicitUrl(visit) }, requestState: "asked" });
  });
  mcp.registerTool("ask-roots", {}, async ({ mcpReq }: ServerContext) => {
    if (era === "legacy") return said(listed((await server.listRoots({}, { relatedRequestId: mcpReq.id })).roots));
    const answer = inputResponse(mcpReq.inputResponses, "roots");
    if (answer.kind === "roots") return said(listed(answer.roots));
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
  });
  mcp.registerTool("route", { inputSchema: input.route }, ({ region }) => said(`Routed to ${region}`));

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
    { argsSchema: z.object({ name: completable(z.string(), (value) => startingWith(names, value)) }) },
    ({ name }) => ({ messages: [{ role: "user", content: { type: "text", text: `Hello, ${name}` } }] }),
  );

  server.setRequestHandler("resources/subscribe", ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  // By default, it returns complete lists.
  server.setRequestHandler("resources/list", ({ params }) => {
    try {
      const { items, ...next } = pageOf(resources, params?.cursor);
      return { resources: items.map(({ name, uri, mimeType }) => ({ name, uri, mimeType })), ...next };
    } catch (error) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, String(error));
    }
  });
  return mcp;
}

const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

async function inSession(request: Request): Promise<Response> {
  const id = request.headers.get("mcp-session-id");
  const transport = id === null ? await newSession() : sessions.get(id);
  return transport?.handleRequest(request) ?? new Response(null, { status: 404 });
}

async function newSession(): Promise<WebStandardStreamableHTTPServerTransport> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await newServer({ era: "legacy" }).connect(transport);
  return transport;
}

if (process.argv[2] === "stdio") serveStdio(newServer);
else {
  const both = createMcpHandler(newServer);
  const strict = createMcpHandler(newServer, { legacy: "reject", bus: both.bus });
  ({ notify } = both);
  const toBoth = toNodeHandler(both);
  const toEither = toNodeHandler({
    fetch: async (request) => ((await isLegacyRequest(request)) ? inSession(request) : strict.fetch(request)),
  });
  listen((request, response) => (request.url === "/stateless" ? toBoth : toEither)(request, response));
}
