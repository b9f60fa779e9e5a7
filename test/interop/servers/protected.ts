/**
 * Our server, which demands access tokens of a real authorization server: `protected.js [--dpop] [--revision R]`. Every request needs
 * the scope `files:read`, the tools `write` and `erase` another one each. `/events` has the events of the authorization server. A POST
 * to `/expire` ends the lifetime of all access tokens.
 */
import type { RequestListener } from "node:http";
import { parseArgs } from "node:util";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { introspectionVerifier, requireBearerAuth } from "@mcpwright/runtime/auth/server";
import { serveHttp } from "@mcpwright/runtime/node";
import { McpServer } from "@mcpwright/runtime/server";
import { introspector, startAuthServer } from "../../auth-server/auth-server.js";
import { scopeNotGranted, scopes, serviceClient } from "../log-in/parties.js";
import { info, said } from "./fixture.js";
import { freePort, tell } from "./listen.js";

const { values } = parseArgs({
  options: { dpop: { type: "boolean", default: false }, revision: { type: "string" } },
});
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const resource = `${origin}/mcp`;
const auth = await startAuthServer({ registration: true, clients: [serviceClient], dpopNonces: values.dpop });
auth.resources.set(resource, { scopes: Object.values(scopes), tokens: "opaque" });

const server = new McpServer(info, {
  revisions: serverSides.filter(({ revision }) => values.revision === undefined || values.revision === revision),
});
const authorization = requireBearerAuth({
  resource,
  verifier: introspectionVerifier({
    issuer: auth.issuer,
    clientId: introspector.client_id,
    clientSecret: introspector.client_secret,
    cacheMs: 0,
  }),
  requiredScopes: [scopes.read],
  dpop: values.dpop && { required: true, nonces: true },
});
for (const [name, needed] of [
  ["read", []],
  ["write", [scopes.write]],
  ["erase", [scopeNotGranted]],
] as const)
  server.registerTool(name, { scopes: needed }, (context) =>
    said(`${name} by ${String(authorization.infoOf(context)?.subject)}`),
  );

const fallback: RequestListener = (request, response) => {
  if (request.url === "/events") response.end(JSON.stringify(auth.events));
  else if (request.url === "/expire" && request.method === "POST")
    void auth.expireAccessTokens().then(() => response.writeHead(204).end());
  else response.writeHead(404).end();
};
await serveHttp(server, { port, authorization, fallback });
tell(port);
