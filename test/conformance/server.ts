/**
 * The fixture server: `node server.js [--transport http|stdio] [--port N] [--issuer URL --resource URI --scope S]`. Prints its URL when
 * it serves HTTP. With an issuer, it demands its tokens.
 */
import { parseArgs } from "node:util";
import { jwtVerifier, requireBearerAuth } from "@mcpwright/runtime/auth/server";
import { serveHttp } from "@mcpwright/runtime/node";
import { serveStdio } from "@mcpwright/runtime/stdio";
import { fixtureServer } from "./server/fixture.js";

const { values } = parseArgs({
  options: {
    transport: { type: "string", default: "http" },
    port: { type: "string", default: "0" },
    issuer: { type: "string" },
    resource: { type: "string", default: "" },
    scope: { type: "string", default: "" },
  },
});
const { transport, port, issuer, resource, scope } = values;

if (transport === "stdio") serveStdio(fixtureServer());
else if (transport === "http") {
  const { url } = await serveHttp(fixtureServer(), {
    port: Number(port),
    retryInterval: 500,
    ...(issuer !== undefined && {
      authorization: requireBearerAuth({ resource, verifier: jwtVerifier({ issuer }), requiredScopes: [scope] }),
    }),
  });
  process.stdout.write(`${url.href}\n`);
} else throw new Error(`--transport must be http or stdio, not ${transport}`);
