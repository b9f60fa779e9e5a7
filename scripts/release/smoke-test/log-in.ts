/** Logs in to an MCP server as a service, with the published entries of authorization, and prints what the server has seen. */
import { strict as assert } from "node:assert";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ClientCredentialsProvider } from "@mcpwright/runtime/auth";
import { FileCredentialStore } from "@mcpwright/runtime/auth/node";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { McpServer } from "@mcpwright/runtime/server";
import { createMcpHandler } from "@mcpwright/runtime/server/http";
import { toNodeHandler } from "@mcpwright/runtime/node";

const server = new McpServer({ name: "protected", version: "1.0.0" });
server.registerTool("secret", {}, () => ({ content: [{ type: "text", text: "42" }] }));
const answer = toNodeHandler(createMcpHandler(server, { allowedHosts: ["127.0.0.1"] }));
let issued = 0;

const http = createServer((request, response) => {
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const json = (body: object): void => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  };
  if (request.url === "/.well-known/oauth-protected-resource/mcp")
    return json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
  if (request.url === "/.well-known/oauth-authorization-server")
    return json({
      issuer: origin,
      token_endpoint: `${origin}/token`,
      grant_types_supported: ["client_credentials"],
      token_endpoint_auth_methods_supported: ["client_secret_basic"],
    });
  if (request.url === "/token") {
    issued += 1;
    return json({ access_token: `t${issued}`, token_type: "Bearer", expires_in: 3600 });
  }
  if (request.headers.authorization === "Bearer t1") {
    answer(request, response);
    return;
  }
  response.writeHead(401, {
    "www-authenticate": `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
  });
  response.end();
});
http.listen(0, "127.0.0.1");
await once(http, "listening");
try {
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const store = new FileCredentialStore("credentials.json");
  for (const run of ["first", "second"]) {
    const client = new Client({ name: "service", version: "1.0.0" });
    const authProvider = new ClientCredentialsProvider({ clientId: "service", clientSecret: "s", store });
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
    const { content } = await client.callTool({ name: "secret" });
    assert.deepEqual(content[0], { type: "text", text: "42" });
    await client.close();
    console.log(`${run} run: ${issued} log-in`);
  }
} finally {
  http.close();
  http.closeAllConnections();
}
