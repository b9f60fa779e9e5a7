/** Notes of several users, for clients of both eras: each request is served by a server that is made for its user. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createMcpHonoApp, hostHeaderValidation, originValidation } from "@modelcontextprotocol/hono";
import {
  acceptedContent,
  type AuthInfo,
  bearerAuthChallengeResponse,
  type CallToolResult,
  completable,
  createMcpHandler,
  createRequestStateCodec,
  type GetPromptResult,
  InMemoryServerEventBus,
  type InputRequiredResult,
  inputRequired,
  isLegacyRequest,
  McpServer,
  type McpRequestContext,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokenVerifier,
  type ReadResourceResult,
  ResourceTemplate,
  verifyBearerToken,
} from "@modelcontextprotocol/server";
import { Hono } from "hono";
import * as z from "zod/v4";

const users = new Map([
  ["token-of-ada", "ada"],
  ["token-of-alan", "alan"],
]);
const notes = new Map<string, string>([["groceries", "tea"]]);
export const problems: string[] = [];

const verifier: OAuthTokenVerifier = {
  verifyAccessToken: (token): Promise<AuthInfo> => {
    const clientId = users.get(token);
    if (clientId === undefined) throw new OAuthError(OAuthErrorCode.InvalidToken, "unknown token");
    return Promise.resolve({ token, clientId, scopes: ["notes"], expiresAt: Math.floor(Date.now() / 1_000) + 60 });
  },
};

interface Deletion {
  readonly name: string;
}

const states = createRequestStateCodec<Deletion>({ key: "0123456789abcdef0123456789abcdef", ttlSeconds: 60 });
const bus = new InMemoryServerEventBus();

function makeServer({ era, authInfo, requestInfo }: McpRequestContext): McpServer {
  const server = new McpServer(
    { name: "notes", version: "1.0.0" },
    {
      capabilities: { resources: { subscribe: true, listChanged: true }, tools: { listChanged: true }, logging: {} },
      instructions: "Keep notes.",
      cacheHints: { "resources/read": { ttlMs: 60_000, cacheScope: "private" } },
      requestState: { verify: (state, ctx) => states.verify(state, ctx) },
    },
  );
  server.server.onerror = (error) => problems.push(error.message);
  server.registerTool("whoami", { description: "Names the user" }, (ctx): CallToolResult => {
    const path = requestInfo && new URL(requestInfo.url).pathname;
    return {
      content: [{ type: "text", text: [era, authInfo?.clientId, ctx.http?.authInfo?.clientId, path].join(" ") }],
    };
  });
  server.registerTool(
    "write",
    {
      inputSchema: z.object({ name: z.string().min(1), text: z.string() }),
      outputSchema: z.object({ length: z.number() }),
    },
    ({ name, text }): CallToolResult => {
      const isNew = !notes.has(name);
      notes.set(name, text);
      handler.notify.resourceUpdated(`note:///${name}`);
      if (isNew) handler.bus.publish({ kind: "resources_list_changed" });
      return { content: [{ type: "text", text: "written" }], structuredContent: { length: text.length } };
    },
  );
  server.registerTool(
    "delete",
    { inputSchema: z.object({ name: z.string() }) },
    async ({ name }, ctx): Promise<CallToolResult | InputRequiredResult> => {
      const answer = acceptedContent<{ sure: boolean }>(ctx.mcpReq.inputResponses, "sure");
      if (!answer)
        return inputRequired({
          inputRequests: {
            sure: inputRequired.elicit({
              message: `Delete ${name}?`,
              requestedSchema: { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] },
            }),
          },
          requestState: await states.mint({ name }, ctx),
        });
      const state = ctx.mcpReq.requestState<Deletion>();
      const isDeleted = answer.sure && state?.name === name && notes.delete(name);
      return { content: [{ type: "text", text: isDeleted ? "deleted" : "kept" }] };
    },
  );
  for (const name of notes.keys())
    server.registerResource(name, `note:///${name}`, { mimeType: "text/plain" }, (uri): ReadResourceResult => ({
      contents: [{ uri: uri.href, text: notes.get(name) ?? "" }],
    }));
  server.registerResource(
    "words",
    new ResourceTemplate("words:///{name}", { list: undefined, complete: { name: () => [...notes.keys()] } }),
    { description: "The words of a note" },
    (uri, { name }): ReadResourceResult => ({
      contents: [{ uri: uri.href, text: String(notes.get(String(name))?.split(" ").length) }],
    }),
  );
  server.registerPrompt(
    "summarize",
    {
      argsSchema: z.object({
        name: completable(z.string(), (value) => [...notes.keys()].filter((name) => name.startsWith(value))),
      }),
    },
    ({ name }): GetPromptResult => ({
      messages: [{ role: "user", content: { type: "text", text: `Summarize ${name}` } }],
    }),
  );
  return server;
}

const handler = createMcpHandler(makeServer, { bus, onerror: (error) => problems.push(error.message) });

/** The eras of the requests, as the host sees them. */
export const eras: string[] = [];

export interface Notes {
  readonly url: URL;
  readonly close: () => Promise<void>;
}

export async function serveNotes(): Promise<Notes> {
  const app = createMcpHonoApp({ host: "127.0.0.1" });
  app.all("/mcp", async (context) => {
    const request = context.req.raw;
    const parsedBody: unknown = context.get("parsedBody" as never);
    eras.push((await isLegacyRequest(request.clone(), parsedBody)) ? "legacy" : "modern");
    try {
      const authInfo = await verifyBearerToken(request.headers.get("authorization"), {
        verifier,
        requiredScopes: ["notes"],
      });
      return await handler.fetch(request, { authInfo, ...(parsedBody !== undefined && { parsedBody }) });
    } catch (error) {
      return bearerAuthChallengeResponse(error, { requiredScopes: ["notes"] });
    }
  });
  const listen = getRequestListener(app.fetch);
  const http = createServer((request, response) => void listen(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`),
    close: async () => {
      await handler.close();
      http.closeAllConnections();
      http.close();
    },
  };
}

/** An application that allows one host and its pages. */
export function guarded(): Hono {
  const app = new Hono();
  app.use("*", hostHeaderValidation(["notes.example"]), originValidation(["notes.example"]));
  app.get("/", (context) => context.text("notes"));
  return app;
}
