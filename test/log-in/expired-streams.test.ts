/** Streams that end with their token: the client gets a new token, opens them again, and misses nothing. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { jwtVerifier, requireBearerAuth } from "@mcpwright/runtime/auth/server";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { toNodeHandler } from "@mcpwright/runtime/node";
import { McpServer } from "@mcpwright/runtime/server";
import { MemoryBackplane } from "@mcpwright/runtime/backplane";
import { createMcpHandler } from "@mcpwright/runtime/server/http";
import { expect, onTestFinished, test } from "vitest";
import { startAuthServer } from "../auth-server/auth-server.js";
import { FormUser } from "../auth-server/form-user.js";
import { providerFor } from "./provider-for.js";

const uri = "test:///note";

interface Served {
  readonly url: URL;
  /** The tokens with which streams were opened. */
  readonly tokens: Set<string>;
}

/** Starts a server whose list of tools and resource change when a stream has ended. */
async function serve(issuer: string, announce: (resource: string) => void): Promise<Served> {
  const http = createServer().listen(0, "127.0.0.1");
  await once(http, "listening");
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  announce(url.href);
  const server = new McpServer({ name: "notes", version: "1.0.0" }, { backplane: new MemoryBackplane() });
  server.registerTool("any", {}, () => ({ content: [] }));
  server.registerResource("note", uri, {}, () => ({ contents: [{ uri, text: "note" }] }));
  const authorization = requireBearerAuth({
    resource: url,
    verifier: jwtVerifier({ issuer, typ: "at+jwt", leewaySeconds: 0 }),
    requiredScopes: ["notes"],
  });
  const handler = createMcpHandler(server, { authorization, retryInterval: 10 });
  const handle = toNodeHandler(handler);
  const tokens = new Set<string>();
  http.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { authorization: token, "mcp-method": method } = request.headers;
    if (token !== undefined && (request.method === "GET" || method === "subscriptions/listen")) {
      tokens.add(token);
      response.once("finish", () => {
        server.sendToolListChanged();
        server.sendResourceUpdated({ uri });
      });
    }
    handle(request, response);
  });
  onTestFinished(async () => {
    await handler.close(0);
    http.closeAllConnections();
    http.close();
  });
  return { url, tokens };
}

test.each(["handshake", "stateless"] as const)("%s", async (era) => {
  const auth = await startAuthServer({ registration: true, accessTokenSeconds: 2 });
  onTestFinished(() => auth.close());
  const { url, tokens } = await serve(auth.issuer, (resource) =>
    auth.resources.set(resource, { scopes: ["notes"], tokens: "jwt" }),
  );
  const client = new Client({ name: "desk", version: "1.0.0" });
  onTestFinished(() => client.close());
  const transport = new StreamableHTTPClientTransport(url, { authProvider: providerFor(new FormUser()) });
  await client.connect(transport, { era });
  const told = new Set<string>();
  client.onChanged("tools", () => void told.add("tools"));
  expect(await client.subscribeResource({ uri }, () => void told.add("note"))).toBe(true);
  await expect.poll(() => tokens.size, { timeout: 10_000 }).toBeGreaterThan(1);
  await expect.poll(() => told, { timeout: 10_000 }).toEqual(new Set(["tools", "note"]));
  expect(auth.events).toContain("granted refresh_token");
  expect(auth.events.filter((event) => event === "page")).toHaveLength(1);
  expect(auth.events.filter((event) => event.startsWith("refused"))).toEqual([]);
});
