import type { AuthorizationRules } from "@mcpwright/protocol/authorization";
import type { AuthorizationServer } from "oauth4webapi";

/** An MCP server, and the authorization server that it trusts. */
export interface DiscoveredServer {
  /** The issuer, exactly as the resource metadata spells it. */
  readonly issuer: string;
  readonly metadata: AuthorizationServer;
  /**
   * The value of the `resource` parameter (RFC 8707), exactly as the resource metadata spells it. Undefined for a server without
   * resource metadata, whose revision has no such parameter.
   */
  readonly resource: string | undefined;
  /** The `scopes_supported` of the resource metadata. */
  readonly scopesSupported: readonly string[] | undefined;
  /** Whether the MCP server announces that it accepts DPoP-bound tokens: in its challenge or its metadata (RFC 9449, RFC 9728). */
  readonly acceptsDpop: boolean;
  /** The rules of the revision whose discovery succeeded. */
  readonly rules: AuthorizationRules;
}
