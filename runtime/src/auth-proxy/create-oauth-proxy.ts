import { assembleProxy, type OAuthProxy } from "./oauth-proxy.js";
import type { OAuthProxyOptions } from "./oauth-proxy-options.js";
import { createFlow } from "./proxy-flow.js";

/**
 * Creates an authorization server for MCP clients whose users log in at a provider that registers no clients, such as GitHub, Google or
 * Microsoft Entra ID (MCP 2025-03-26, third-party authorization flow). Clients register at it or use metadata documents, and get tokens of
 * its own, which are valid for one MCP server only; the provider's tokens stay in the store, encrypted. Before the provider is visited,
 * the user consents to the client.
 *
 * Register `<issuer>/callback` as the redirect URI at the provider. Everybody with an account there may log in, unless the provider has
 * an option `acceptUser`.
 * @throws SdkError `INVALID_CONFIGURATION` (a rejection) with the option that is invalid, and the remedy
 * @example
 * ```ts
 * const proxy = await createOAuthProxy({
 *   issuer: "https://mcp.example.com",
 *   resource: "https://mcp.example.com/mcp",
 *   upstream: github({ clientId, clientSecret, scopes: ["read:user"] }),
 *   scopes: { "issues:read": "Read your issues" },
 *   secrets: [process.env["PROXY_SECRET"] ?? ""],
 *   store: await openSqliteStore("proxy.db"),
 * });
 * const authorization = requireBearerAuth({ resource: "https://mcp.example.com/mcp", verifier: proxy.verifier });
 * await serveHttp(server, { port: 3000, allowedHosts: ["mcp.example.com"], authorization, fallback: proxy.listener });
 * ```
 */
export function createOAuthProxy(options: OAuthProxyOptions): Promise<OAuthProxy> {
  // Checks of a provider or a store may wait one day; callers need not change then.
  return Promise.resolve().then(() => assembleProxy(options, createFlow));
}
