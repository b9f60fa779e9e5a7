import { AuthorizationError } from "../auth-errors.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import type { TokenSet } from "../tokens/token-set.js";
import { createGrantContext } from "./grant-context.js";
import type { SessionParts } from "./session-parts.js";

/**
 * Revokes the refresh token and the access token (RFC 7009), when the authorization server offers it.
 * @throws AuthorizationError
 */
export async function revokeTokens(
  parts: SessionParts,
  server: DiscoveredServer,
  tokens: TokenSet,
  signal: AbortSignal,
): Promise<void> {
  const { issuer } = server;
  if (server.metadata.revocation_endpoint === undefined) return;
  const { clientId } = tokens;
  const context = { ...createGrantContext(parts, server, tokens.scopes, undefined, signal), clientId };
  const client = await parts.grant.resolveClient(context);
  if (tokens.issuer !== issuer || client?.clientId !== clientId)
    throw new AuthorizationError("no-client", `The tokens of ${tokens.issuer} belong to another client`, { issuer });
  if (tokens.refreshToken !== undefined) await context.tokens.revoke(client, tokens.refreshToken, "refresh_token");
  await context.tokens.revoke(client, tokens.accessToken, "access_token");
}
