/**
 * An MCP server that SDK 2.x protects with its own middleware, and its authorization server. `/mcp` needs the scope `files:read`,
 * calls of the tool `write` also `files:write`. `/events` has the events of the authorization server; a POST to `/expire` ends the
 * lifetime of all access tokens.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createMcpExpressApp,
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
  type OAuthTokenVerifier,
  requireBearerAuth,
} from "@modelcontextprotocol/express";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer, OAuthError, OAuthErrorCode } from "@modelcontextprotocol/server";
import type { NextFunction, Request, Response } from "express";
import { startAuthServer } from "../../auth-server/auth-server.js";
import { info, said } from "./fixture.js";
import { tell } from "./listen.js";
import { scopes, serviceClient } from "../log-in/parties.js";

const auth = await startAuthServer({ registration: true, clients: [serviceClient] });
const app = createMcpExpressApp();
const http = createServer((request, response) => app(request, response));
http.listen(0, "127.0.0.1");
await once(http, "listening");
const { port } = http.address() as AddressInfo;
const resource = new URL(`http://127.0.0.1:${port}/mcp`);
auth.resources.set(resource.href, { scopes: Object.values(scopes), tokens: "opaque" });

const verifier: OAuthTokenVerifier = {
  async verifyAccessToken(token) {
    const { active, aud, client_id, exp, scope, sub } = (await auth.introspect(token)) as Introspection;
    if (active !== true || aud !== resource.href) throw new OAuthError(OAuthErrorCode.InvalidToken, "Unknown token");
    return { token, clientId: client_id, scopes: scope.split(" "), expiresAt: exp, resource, extra: { user: sub } };
  },
};

/** Only the first member is there when the token is not active. */
type Introspection = Readonly<Record<string, unknown>> & {
  readonly active: boolean;
  readonly aud: string;
  readonly client_id: string;
  readonly exp: number;
  readonly scope: string;
  readonly sub?: string;
};

const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resource);
const needs = (...requiredScopes: string[]) => requireBearerAuth({ verifier, requiredScopes, resourceMetadataUrl });
const metadata = await fetch(`${auth.issuer}/.well-known/openid-configuration`);

app.use(
  mcpAuthMetadataRouter({
    oauthMetadata: (await metadata.json()) as Parameters<typeof mcpAuthMetadataRouter>[0]["oauthMetadata"],
    resourceServerUrl: resource,
    scopesSupported: [scopes.read],
    dangerouslyAllowInsecureIssuerUrl: true,
  }),
);
app.get("/events", (_request: Request, response: Response) => void response.json(auth.events));
app.post("/expire", async (_request: Request, response: Response) => {
  await auth.expireAccessTokens();
  response.status(204).end();
});

/** The tools report the user of the token, or the client of a service. */
const handle = toNodeHandler(
  createMcpHandler(() => {
    const mcp = new McpServer(info, {});
    for (const name of ["read", "write"])
      mcp.registerTool(name, {}, ({ http: call }) => {
        const { clientId, extra } = call?.authInfo ?? {};
        return said(`${name} by ${String(extra?.["user"] ?? clientId)}`);
      });
    return mcp;
  }),
);
const isWrite = (body: unknown): boolean =>
  (body as { readonly params?: { readonly name?: unknown } } | undefined)?.params?.name === "write";
app.all(
  "/mcp",
  (request: Request, response: Response, next: NextFunction) =>
    void (isWrite(request.body) ? needs(scopes.read, scopes.write) : needs(scopes.read))(request, response, next),
  (request: Request, response: Response) => void handle(request, response, request.body),
);
tell(port);
