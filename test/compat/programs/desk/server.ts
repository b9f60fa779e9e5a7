/** A help desk for clients with sessions, on express: it asks clients for input, roots and samples, and watches tickets. */
import { randomUUID } from "node:crypto";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpExpressApp, mcpAuthMetadataRouter, requireBearerAuth } from "@modelcontextprotocol/express";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import {
  type CallToolResult,
  type ElicitResult,
  getOAuthProtectedResourceMetadataUrl,
  isInitializeRequest,
  McpServer,
  type OAuthMetadata,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/server";
import type { Request, Response } from "express";
import * as z from "zod/v4";

const tickets = new Map([["ticket:///1", "The printer is on fire"]]);
export const seenByServer: unknown[] = [];

function makeServer(): McpServer {
  const server = new McpServer(
    { name: "desk", version: "1.0.0" },
    { supportedProtocolVersions: ["2025-11-25", "2025-06-18"], enforceStrictCapabilities: true },
  );
  server.server.onerror = (error) => seenByServer.push(["error", error.message]);
  server.server.registerCapabilities({ logging: {}, resources: { subscribe: true } });
  const subscribed = new Set<string>();
  server.server.setRequestHandler("resources/subscribe", ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  server.server.setRequestHandler("desk/search", { params: z.object({ text: z.string() }) }, ({ text }) => ({
    found: [...tickets].filter(([, problem]) => problem.includes(text)).map(([uri]) => uri),
  }));
  server.server.setNotificationHandler("notifications/roots/list_changed", async () => {
    const { roots } = await server.server.listRoots(undefined, { timeout: 5_000 });
    seenByServer.push(["roots", roots]);
  });
  for (const uri of tickets.keys())
    server.registerResource(uri, uri, {}, () => ({ contents: [{ uri, text: tickets.get(uri) ?? "" }] }));

  server.registerTool(
    "work",
    { inputSchema: z.object({ steps: z.int() }) },
    async ({ steps }, ctx): Promise<CallToolResult> => {
      const { mcpReq } = ctx;
      const progressToken = mcpReq._meta?.progressToken;
      for (let progress = 1; progress <= steps && progressToken !== undefined; progress++)
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: steps } });
      await mcpReq.log("warning", `after ${steps} steps`, "desk");
      return {
        content: [
          {
            type: "text",
            text: `${mcpReq.method} ${String(ctx.sessionId !== undefined)} ${ctx.http?.authInfo?.clientId}`,
          },
        ],
      };
    },
  );
  server.registerTool("wait", {}, ({ mcpReq: { signal } }): Promise<CallToolResult> => {
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        seenByServer.push(["aborted", signal.aborted]);
        reject(new Error("aborted"));
      });
    });
  });
  server.registerTool(
    "edit",
    { inputSchema: z.object({ uri: z.string() }) },
    async ({ uri }, ctx): Promise<CallToolResult> => {
      const result: ElicitResult = await ctx.mcpReq.elicitInput({
        mode: "form",
        message: "What is the problem?",
        requestedSchema: { type: "object", properties: { problem: { type: "string" } }, required: ["problem"] },
      });
      tickets.set(uri, String(result.content?.["problem"]));
      if (subscribed.has(uri)) await server.server.sendResourceUpdated({ uri });
      return { content: [{ type: "text", text: result.action }] };
    },
  );
  server.registerTool("suggest", {}, async (ctx: ServerContext): Promise<CallToolResult> => {
    const { model, content } = await ctx.mcpReq.requestSampling({
      messages: [{ role: "user", content: { type: "text", text: "What now?" } }],
      maxTokens: 10,
    });
    return { content: [{ type: "text", text: JSON.stringify([model, content]) }] };
  });
  server.registerTool("folders", {}, async (ctx): Promise<CallToolResult> => {
    const { roots } = await ctx.mcpReq.send({ method: "roots/list" });
    return { content: [{ type: "text", text: roots.map(({ uri }) => uri).join() }] };
  });
  server.registerTool("pay", {}, async (): Promise<CallToolResult> => {
    const elicitationId = "payment-1";
    const done = server.server.createElicitationCompletionNotifier(elicitationId);
    const { action } = await server.server.elicitInput({
      mode: "url",
      message: "Pay",
      url: "https://desk.example/pay",
      elicitationId,
    });
    await done();
    return { content: [{ type: "text", text: action }] };
  });
  server.registerTool("owe", {}, () => {
    throw new UrlElicitationRequiredError([
      { mode: "url", message: "Pay", url: "https://desk.example/", elicitationId: "2" },
    ]);
  });
  server.registerTool("refuse", {}, () => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "no more tickets", { most: 1 });
  });
  return server;
}

export interface Desk {
  readonly url: URL;
  readonly close: () => void;
}

export async function serveDesk(): Promise<Desk> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const app = createMcpExpressApp({ host: "127.0.0.1" });
  const http: HttpServer = await new Promise((resolve) => {
    const listening: HttpServer = app.listen(0, "127.0.0.1", () => resolve(listening));
  });
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  const oauthMetadata: OAuthMetadata = {
    issuer: "https://login.example/",
    authorization_endpoint: "https://login.example/authorize",
    token_endpoint: "https://login.example/token",
    response_types_supported: ["code"],
  };
  app.use(
    mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl: url, scopesSupported: ["desk"], resourceName: "desk" }),
  );
  const verifyAccessToken = (token: string) =>
    Promise.resolve({
      token,
      clientId: "agent",
      scopes: token.split("+"),
      expiresAt: Math.floor(Date.now() / 1_000) + 60,
    });
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(url);
  app.use(
    "/mcp",
    requireBearerAuth({ verifier: { verifyAccessToken }, requiredScopes: ["desk"], resourceMetadataUrl }),
  );
  app.all("/mcp", async (request: Request, response: Response) => {
    const id = request.headers["mcp-session-id"];
    let transport = typeof id === "string" ? sessions.get(id) : undefined;
    if (!transport && isInitializeRequest(request.body)) {
      const opened = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => void sessions.set(session, opened),
        onsessionclosed: (session) => void sessions.delete(session),
      });
      opened.onclose = () => seenByServer.push(["closed"]);
      await makeServer().connect(opened);
      transport = opened;
    }
    if (transport) await transport.handleRequest(request, response, request.body);
    else response.status(404).json({ jsonrpc: "2.0", error: { code: -32001, message: "Session not found" }, id: null });
  });
  return {
    url,
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
}
