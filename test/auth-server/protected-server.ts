/** An MCP server that demands tokens of an authorization server: a tool per scope. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { toNodeHandler } from "@mcpwright/runtime/node";
import { McpServer } from "@mcpwright/runtime/server";
import { createMcpHandler } from "@mcpwright/runtime/server/http";
import { Rejection, TokenChecker } from "./access-token.js";
import type { AuthServer } from "./auth-server.js";

export interface ProtectedServerOptions {
  /** The form of its access tokens. Default: `"jwt"`. */
  readonly tokens?: "jwt" | "opaque";
  /** Whether it accepts only DPoP-bound tokens, and whether proofs need a nonce. Default: false. */
  readonly dpop?: boolean | "nonces";
  /** The origins of web pages that may call it. Default: none. */
  readonly origins?: readonly string[];
  /** The scopes that the authorization server grants for it. Default: all that it needs. */
  readonly grantable?: readonly string[];
}

export interface ProtectedServer {
  readonly url: URL;
  /** The statuses of all responses, with the challenge of rejected requests: `200`, `401 invalid_token`. */
  readonly responses: string[];
  /** From now on, it accepts only tokens of another authorization server. */
  trust(authServer: AuthServer): void;
  /** From now on, DPoP proofs need another nonce. */
  renewNonce(): void;
  close(): Promise<void>;
}

/** The scope that a tool needs besides the first. */
const scopes = { read: "files:read", write: "files:write" } as const;

/**
 * Starts a server with the tools `read` and `write`. Without a token it demands the scope `files:read`; `write` needs
 * `files:write`, too. Both return the user of the token.
 */
export async function startProtectedServer(
  authServer: AuthServer,
  { tokens = "jwt", dpop = false, origins = [], grantable = Object.values(scopes) }: ProtectedServerOptions = {},
): Promise<ProtectedServer> {
  const http = createServer().listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  const resource = `http://127.0.0.1:${port}/mcp`;
  const metadataPath = "/.well-known/oauth-protected-resource/mcp";
  const requirements = { resource, tokens, dpop: dpop !== false, dpopNonces: dpop === "nonces" };
  let trusted = authServer;
  let checker = new TokenChecker(authServer, requirements);
  const trust = (next: AuthServer): void => {
    trusted = next;
    next.resources.set(resource, { scopes: grantable, tokens });
    checker = new TokenChecker(next, requirements);
  };
  trust(authServer);
  const metadata = (): object => ({
    resource,
    authorization_servers: [trusted.issuer],
    scopes_supported: Object.values(scopes),
    bearer_methods_supported: ["header"],
    ...(dpop !== false && { dpop_signing_alg_values_supported: ["ES256"], dpop_bound_access_tokens_required: true }),
  });
  const handler = createMcpHandler(createTools(), { allowedOrigins: origins });
  const handle = toNodeHandler(handler);
  const responses: string[] = [];

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { origin } = request.headers;
    if (origin !== undefined && origins.includes(origin)) {
      response.setHeader("access-control-allow-origin", origin);
      response.setHeader("access-control-expose-headers", "www-authenticate, dpop-nonce, mcp-session-id");
    }
    if (request.url === metadataPath)
      return void response.setHeader("content-type", "application/json").end(JSON.stringify(metadata()));
    if (request.url !== "/mcp") return void response.writeHead(404).end();
    // A browser asks without a token whether the page may call.
    if (request.method === "OPTIONS") {
      handle(request, response);
      return;
    }
    if (dpop === "nonces") response.setHeader("dpop-nonce", checker.nonce);
    try {
      const { subject, scopes: granted } = await checker.check(request.method ?? "", request.headers);
      const parsedBody = request.method === "POST" ? await json(request) : undefined;
      const needed = neededScope(parsedBody);
      if (!granted.includes(needed)) throw new Rejection(403, { error: "insufficient_scope", scope: needed });
      response.once("finish", () => responses.push(String(response.statusCode)));
      handle(request, response, { principal: { issuer: trusted.issuer, subject }, parsedBody });
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const { status, parameters, scheme = dpop === false ? "Bearer" : "DPoP" } = error;
      const challenge = {
        ...(scheme === "DPoP" && { algs: "ES256" }),
        ...(status === 401 && { scope: scopes.read }),
        ...parameters,
        resource_metadata: `http://127.0.0.1:${port}${metadataPath}`,
      };
      const text = Object.entries(challenge).map(([name, value]) => `${name}="${value}"`);
      responses.push(`${status} ${error.message}`);
      response.writeHead(status, { "www-authenticate": `${scheme} ${text.join(", ")}` }).end();
    }
  };
  http.on("request", (request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  return {
    url: new URL(resource),
    responses,
    trust,
    renewNonce: () => void (checker.nonce = crypto.randomUUID()),
    async close() {
      await handler.close(0);
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function createTools(): McpServer {
  const server = new McpServer({ name: "protected", version: "1.0.0" });
  for (const name of Object.keys(scopes))
    server.registerTool(name, {}, ({ principal }) => ({
      content: [{ type: "text", text: `${name} by ${principal?.subject ?? "nobody"}` }],
    }));
  return server;
}

/** The scope that a request needs. */
function neededScope(body: unknown): string {
  const { method, params } = Object(body) as { readonly method?: string; readonly params?: { readonly name?: string } };
  return method === "tools/call" && params?.name === "write" ? scopes.write : scopes.read;
}
