/** Serves an MCP server that accepts access tokens, with the published entries, and prints the status of each request. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOAuthProxy, github, MemoryProxyStore } from "@mcpwright/runtime/auth/proxy";
import { InvalidTokenError, requireBearerAuth, type TokenFacts } from "@mcpwright/runtime/auth/server";
import { serveHttp } from "@mcpwright/runtime/node";
import { McpServer } from "@mcpwright/runtime/server";

const issuer = "https://auth.example.com";
const resource = "https://mcp.example.com/mcp";

function verifyAccessToken(token: string): TokenFacts {
  if (token !== "t1") throw new InvalidTokenError("malformed", "it is not t1");
  return {
    issuer,
    subject: "ada",
    clientId: "one",
    scopes: ["read"],
    expiresAt: Date.now() / 1_000 + 60,
    audience: [resource],
    keyThumbprint: undefined,
    claims: {},
  };
}

const server = new McpServer({ name: "protected", version: "1.0.0" });
server.registerTool("read", { scopes: ["read"] }, () => ({ content: [{ type: "text", text: "42" }] }));
server.registerTool("write", { scopes: ["write"] }, () => ({ content: [] }));
const authorization = requireBearerAuth({ resource, verifier: { issuers: [issuer], verifyAccessToken } });
const served = await serveHttp(server, { authorization });

async function statusOf(path: string, token?: string, name?: string): Promise<number> {
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": "2025-11-25",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name } });
  const response = await fetch(new URL(path, served.url), name === undefined ? {} : { method: "POST", headers, body });
  await response.text();
  return response.status;
}

try {
  console.log(`metadata: ${await statusOf("/.well-known/oauth-protected-resource/mcp")}`);
  console.log(`no token: ${await statusOf("/mcp", undefined, "read")}`);
  console.log(`a wrong token: ${await statusOf("/mcp", "t2", "read")}`);
  console.log(`a missing scope: ${await statusOf("/mcp", "t1", "write")}`);
} finally {
  await served.close();
}

const probe = createServer().listen(0, "127.0.0.1");
await once(probe, "listening");
const { port } = probe.address() as AddressInfo;
probe.close();
const proxy = await createOAuthProxy({
  issuer: `http://127.0.0.1:${port}`,
  resource: `http://127.0.0.1:${port}/mcp`,
  upstream: github({ clientId: "one", clientSecret: "secret", scopes: [] }),
  scopes: { read: "Read your files" },
  secrets: ["a secret of thirty-two characters or more"],
  store: new MemoryProxyStore(),
});
const http = createServer(proxy.listener).listen(port, "127.0.0.1");
await once(http, "listening");
try {
  const response = await fetch(`http://127.0.0.1:${port}/.well-known/oauth-authorization-server`);
  await response.text();
  console.log(`the proxy: ${response.status}`);
} finally {
  http.closeAllConnections();
  http.close();
  await proxy.close();
}
