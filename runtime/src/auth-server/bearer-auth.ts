import type { HttpAuthorization } from "../http-server/http-authorization.js";
import type { Principal } from "../transport/principal.js";
import type { AuthInfo } from "./auth-info.js";
import type { BearerAuthOptions } from "./bearer-auth-options.js";
import { checkBearerAuthOptions } from "./bearer-auth-settings.js";
import type { AuthorizationPolicy } from "./gate/authorization-policy.js";
import { ResourceServer } from "./resource-server.js";

/** The authorization of an endpoint by access tokens. Pass it as the option `authorization` to `serveHttp` or `createMcpHandler`. */
export interface BearerAuth<Claims extends object = Readonly<Record<string, unknown>>>
  extends HttpAuthorization, AuthorizationPolicy {
  /** The canonical URI of the MCP server, as it was configured. */
  readonly resource: string;
  /** Where clients find the metadata of the MCP server (RFC 9728). */
  readonly resourceMetadataUrl: string;
  /**
   * Returns the access token's members for a handler, typed by the verifier; undefined when the request did not come through this
   * authorization, for example over stdio.
   * @example
   * ```ts
   * server.registerTool("whoami", {}, (context) => {
   *   const info = authorization.infoOf(context);
   *   return { content: [{ type: "text", text: info ? `${info.subject} with ${info.scopes.join(" ")}` : "local user" }] };
   * });
   * ```
   */
  infoOf(context: { readonly principal?: Principal | undefined }): AuthInfo<Claims> | undefined;
}

/**
 * Makes an MCP server an OAuth resource server (MCP, authorization): it accepts requests with an access token only, checks scopes,
 * answers other requests with the challenge from which clients learn how to log in, and publishes its metadata (RFC 9728).
 * @throws SdkError `INVALID_CONFIGURATION` with the option that is invalid, and the remedy
 * @example
 * ```ts
 * const authorization = requireBearerAuth({
 *   resource: "https://mcp.example.com/mcp",
 *   verifier: jwtVerifier({ issuer: "https://auth.example.com" }),
 *   requiredScopes: ["files:read"],
 * });
 * server.registerTool("delete", { scopes: ["files:write"], inputSchema }, async ({ path }, context) => {
 *   const info = authorization.infoOf(context);
 *   await remove(path, info?.subject);
 *   return { content: [] };
 * });
 * await serveHttp(server, { port: 3000, allowedHosts: ["mcp.example.com"], authorization });
 * ```
 */
export function requireBearerAuth<Claims extends object = Readonly<Record<string, unknown>>>(
  options: BearerAuthOptions<Claims>,
): BearerAuth<Claims> {
  return new ResourceServer(options, checkBearerAuthOptions(options));
}
