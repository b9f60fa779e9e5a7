/** An MCP server that demands tokens of an authorization server: a tool, a resource and a prompt per scope. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  authorizeHttp,
  type BearerAuth,
  introspectionVerifier,
  InvalidTokenError,
  jwtVerifier,
  type OAuthTokenVerifier,
  requireBearerAuth,
} from "@mcpwright/runtime/auth/server";
import { toNodeHandler } from "@mcpwright/runtime/node";
import { McpServer } from "@mcpwright/runtime/server";
import { createMcpHandler } from "@mcpwright/runtime/server/http";
import { type AuthServer, introspector } from "./auth-server.js";

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
  /** The statuses of all responses to MCP requests, with the error of rejected ones: `200`, `401 invalid_token`; and why tokens could not be verified. */
  readonly responses: string[];
  /** From now on, it accepts only tokens of another authorization server. */
  trust(authServer: AuthServer): void;
  /** From now on, DPoP proofs need another nonce. */
  renewNonce(): void;
  /** From now on, it rejects all tokens, as if they were revoked. */
  rejectTokens(): void;
  close(): Promise<void>;
}

/** The scopes of the tools. */
const scopes = { read: "files:read", write: "files:write" } as const;

/**
 * Starts a server with the tools, prompts and resources (`test:///read`) `read` and `write`. All need the scope `files:read`; `write`
 * needs `files:write`, too. All return the user of the token.
 */
export async function startProtectedServer(
  authServer: AuthServer,
  { tokens = "jwt", dpop = false, origins = [], grantable = Object.values(scopes) }: ProtectedServerOptions = {},
): Promise<ProtectedServer> {
  const http = createServer().listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  const resource = `http://127.0.0.1:${port}/mcp`;
  const responses: string[] = [];
  const authorizationBy = (trusted: AuthServer, verifier = verifierFor(trusted, tokens)): BearerAuth => {
    trusted.resources.set(resource, { scopes: grantable, tokens });
    return requireBearerAuth({
      resource,
      verifier,
      requiredScopes: [scopes.read],
      scopesSupported: Object.values(scopes),
      dpop: dpop !== false && {
        required: true,
        algorithms: ["ES256"],
        nonces: dpop === "nonces" && { secret: crypto.randomUUID() },
      },
      onerror: ({ message }) => responses.push(message),
      onRefused: ({ status, error = "no token" }) => {
        if (isRefusal(status)) responses.push(`${status} ${error}`);
      },
    });
  };
  let trusted = authServer;
  let authorization = authorizationBy(trusted);
  const handler = createMcpHandler(createMcpServer(), {
    allowedOrigins: origins,
    authorization: authorizeHttp({
      publicPaths: authorization.publicPaths,
      publicDocument: (path) => authorization.publicDocument(path),
      authenticate: (request) => authorization.authenticate(request),
      authorize: (...request) => authorization.authorize(...request),
    }),
  });
  const handle = toNodeHandler(handler);
  http.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const [path = ""] = request.url?.split("?", 1) ?? [];
    if (path !== "/mcp" && !authorization.publicPaths.includes(path)) return void response.writeHead(404).end();
    if (path === "/mcp" && request.method !== "OPTIONS")
      response.once("finish", () => {
        if (!isRefusal(response.statusCode)) responses.push(String(response.statusCode));
      });
    handle(request, response);
  });
  return {
    url: new URL(resource),
    responses,
    trust: (next) => {
      trusted = next;
      authorization = authorizationBy(trusted);
    },
    renewNonce: () => void (authorization = authorizationBy(trusted)),
    rejectTokens: () => void (authorization = authorizationBy(trusted, rejecting(trusted))),
    async close() {
      await handler.close(0);
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function createMcpServer(): McpServer {
  const server = new McpServer({ name: "protected", version: "1.0.0" });
  for (const [name, scope] of Object.entries(scopes)) {
    const config = { scopes: [scope] };
    const uri = `test:///${name}`;
    server.registerTool(name, config, ({ principal }) => ({
      content: [{ type: "text", text: `${name} by ${principal?.subject ?? "nobody"}` }],
    }));
    server.registerResource(name, uri, config, (_url, { principal }) => ({
      contents: [{ uri, text: `${name} by ${principal?.subject ?? "nobody"}` }],
    }));
    server.registerPrompt(name, config, ({ principal }) => ({
      messages: [{ role: "user", content: { type: "text", text: `${name} by ${principal?.subject ?? "nobody"}` } }],
    }));
  }
  return server;
}

/** Whether `onRefused` records a response, before it is sent. */
function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

/** The one for opaque tokens asks about each request, so that a revoked token is rejected at once. */
function verifierFor({ issuer }: AuthServer, tokens: "jwt" | "opaque"): OAuthTokenVerifier {
  const { client_id: clientId, client_secret: clientSecret } = introspector;
  return tokens === "jwt"
    ? jwtVerifier({ issuer, typ: "at+jwt" })
    : introspectionVerifier({ issuer, clientId, clientSecret, cacheMs: 0 });
}

function rejecting({ issuer }: AuthServer): OAuthTokenVerifier {
  return {
    issuers: [issuer],
    verifyAccessToken() {
      throw new InvalidTokenError("inactive", "the token was revoked");
    },
  };
}
