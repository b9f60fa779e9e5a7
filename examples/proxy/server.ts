import { createOAuthProxy, oidc, type OAuthProxy } from "@mcpwright/runtime/auth/proxy";
import { requireBearerAuth } from "@mcpwright/runtime/auth/server";
import { type HttpServerHandle, serveHttp } from "@mcpwright/runtime/node";
import { McpServer } from "@mcpwright/runtime/server";
import { textResult } from "../text-result.js";

/** The application that the operator of this server has registered by hand at the provider. */
export interface RegisteredApplication {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Serves an MCP server whose users log in at a provider at which MCP clients cannot register. At the same origin, the proxy is an
 * authorization server to these clients.
 */
export async function serveProfiles(provider: RegisteredApplication, port: number): Promise<HttpServerHandle> {
  const origin = `http://127.0.0.1:${port}`;
  const resource = `${origin}/mcp`;
  const proxy = await createOAuthProxy({
    issuer: origin,
    resource,
    upstream: oidc({ ...provider, scopes: ["openid", "profile"] }),
    scopes: { "profile:read": "Read your name" },
    secrets: ["a secret of this example, which you must not use"],
    serviceName: "Profiles",
  });
  const authorization = requireBearerAuth({ resource, verifier: proxy.verifier, requiredScopes: ["profile:read"] });
  return serveHttp(createProfiles(proxy, provider.issuer), { port, authorization, fallback: proxy.listener });
}

/** A tool that calls the API of the provider in the name of the user. */
function createProfiles(proxy: OAuthProxy, issuer: string): McpServer {
  const server = new McpServer({ name: "profiles", version: "1.0.0" });
  server.registerTool("profile", { description: "Your name at the provider" }, async (context) => {
    const { accessToken } = await proxy.upstreamTokens(context);
    const response = await fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${accessToken}` } });
    const { name } = (await response.json()) as { readonly name: string };
    return textResult(`The provider calls you ${name}`);
  });
  return server;
}
