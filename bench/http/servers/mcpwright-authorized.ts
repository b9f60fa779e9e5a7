import { jwtVerifier, requireBearerAuth } from "@mcpwright/runtime/auth/server";
import { serveHttp } from "@mcpwright/runtime/node";
import { issuer, resource } from "../credentials.js";
import { host, tellPort } from "./form.js";
import { options, server } from "./mcpwright-server.js";

/** The public keys of the issuer. */
const jwks = JSON.parse(process.argv[4] ?? "") as { readonly keys: [] };
const authorization = requireBearerAuth({
  resource,
  verifier: jwtVerifier({ issuer, jwks }),
  requiredScopes: ["book"],
});
const served = await serveHttp(server, { port: 0, host, path: "/mcp", authorization, ...options });
tellPort(Number(new URL(served.url).port));
