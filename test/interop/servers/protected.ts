/**
 * Our server, which demands access tokens of a real authorization server: `protected.js [--dpop] [--proxy] [--revision R]`; with
 * `--proxy`, those of an OAuth proxy before a provider. Every request needs the scope `files:read`, the tools `write` and `erase`
 * another one each. `/events` has the events of the authorization server. A POST to `/expire` ends the lifetime of all access tokens.
 */
import type { RequestListener } from "node:http";
import { parseArgs } from "node:util";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { requireBearerAuth } from "@mcpwright/runtime/auth/server";
import { serveHttp } from "@mcpwright/runtime/node";
import { McpServer } from "@mcpwright/runtime/server";
import { startDirectIssuer } from "../log-in/direct-issuer.js";
import { scopeNotGranted, scopes } from "../log-in/parties.js";
import { startProxyIssuer } from "../log-in/proxy-issuer.js";
import { info, said } from "./fixture.js";
import { freePort } from "../../../scripts/free-port.js";
import { tell } from "./listen.js";

const { values } = parseArgs({
  options: {
    dpop: { type: "boolean", default: false },
    proxy: { type: "boolean", default: false },
    revision: { type: "string" },
  },
});
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const resource = `${origin}/mcp`;
const issuer = await (values.proxy ? startProxyIssuer(origin, resource) : startDirectIssuer(resource, values.dpop));

const server = new McpServer(info, {
  revisions: serverSides.filter(({ revision }) => values.revision === undefined || values.revision === revision),
});
const authorization = requireBearerAuth({
  resource,
  verifier: issuer.verifier,
  requiredScopes: [scopes.read],
  dpop: values.dpop && { required: true, nonces: true },
});
for (const [name, needed] of [
  ["read", []],
  ["write", [scopes.write]],
  ["erase", [scopeNotGranted]],
] as const)
  server.registerTool(name, { scopes: needed }, async (context) => {
    const granted = authorization.infoOf(context);
    return said(`${name} by ${granted ? await issuer.nameOf(context, granted) : "nobody"}`);
  });

const fallback: RequestListener = (request, response) => {
  if (request.url === "/events") response.end(JSON.stringify(issuer.events));
  else if (request.url === "/expire" && request.method === "POST")
    void issuer.expire().then(() => response.writeHead(204).end());
  else if (issuer.listener) issuer.listener(request, response);
  else response.writeHead(404).end();
};
await serveHttp(server, { port, authorization, fallback });
tell(port);
