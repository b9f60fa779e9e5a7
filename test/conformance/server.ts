/**
 * The fixture server: `node server.js [--transport http|stdio] [--port N] [--issuer URL --resource URI --scope S] [--redis URL
 * --state-key HEX]`. Prints its URL when it serves HTTP. With an issuer, it demands its tokens; with the URL of a Redis, it is one of
 * several nodes.
 */
import { parseArgs } from "node:util";
import { jwtVerifier, requireBearerAuth } from "@mcpwright/runtime/auth/server";
import { serveHttp } from "@mcpwright/runtime/node";
import { serveStdio } from "@mcpwright/runtime/stdio";
import { fixtureServer, ownState } from "./server/fixture.js";
import { stateInRedis } from "./server/redis-state.js";

const { values } = parseArgs({
  options: {
    transport: { type: "string", default: "http" },
    port: { type: "string", default: "0" },
    issuer: { type: "string" },
    resource: { type: "string", default: "" },
    scope: { type: "string", default: "" },
    redis: { type: "string" },
    "state-key": { type: "string", default: "" },
  },
});
const { transport, port, issuer, resource, scope, redis, "state-key": key } = values;
const server = await fixtureServer(redis === undefined ? ownState() : await stateInRedis(redis, key));

if (transport === "stdio") serveStdio(server);
else if (transport === "http") {
  const { url } = await serveHttp(server, {
    port: Number(port),
    retryInterval: 500,
    ...(issuer !== undefined && {
      authorization: requireBearerAuth({ resource, verifier: jwtVerifier({ issuer }), requiredScopes: [scope] }),
    }),
  });
  process.stdout.write(`${url.href}\n`);
} else throw new Error(`--transport must be http or stdio, not ${transport}`);
