import { AuthorizationError } from "../auth-errors.js";
import type { OAuthClient } from "../client-identity/oauth-client.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import type { TokenSet } from "../tokens/token-set.js";
import { dpopKeyOf } from "./dpop-choice.js";
import { createGrantContext, type SessionGrantContext } from "./grant-context.js";
import { tokensRecord, type ServerRecord } from "./record-kinds.js";
import type { SessionParts } from "./session-parts.js";

/** Refusals with which the same refresh token would be refused again (RFC 6749, section 5.2; RFC 8707, section 2). */
const finalRefusals = [
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
  "invalid_target",
];

/**
 * Refreshes tokens (RFC 6749, section 6), one process at a time.
 * @param old the tokens that expire, or that the MCP server rejected
 * @returns false when they cannot be refreshed; then new ones must be obtained. True also when another process has replaced them
 * @throws AuthorizationError when the refresh fails for another reason; the tokens are kept
 */
export function refreshTokens(
  parts: SessionParts,
  server: DiscoveredServer,
  old: TokenSet,
  signal: AbortSignal,
): Promise<boolean> {
  const { cache, records, grant } = parts;
  const work = async (): Promise<boolean> => {
    await cache.reload();
    if (cache.hasOther(old.accessToken)) return true;
    // The stored refresh token is the newest one.
    const { tokens, server: record } = cache;
    if (!tokens || !record || tokens.refreshToken === undefined || tokens.issuer !== server.issuer) return false;
    const key = await dpopKeyOf(tokens);
    const { clientId } = tokens;
    const context = { ...createGrantContext(parts, server, record.scopes, key, signal, tokens.scopes), clientId };
    const client = await grant.resolveClient(context);
    // A refresh token is of use only to the client that it was issued to.
    if (client?.clientId !== clientId) return false;
    try {
      const refreshed = await request(context, client, tokens.refreshToken);
      await cache.save({ refreshToken: tokens.refreshToken, ...refreshed }, nextRecord(record, server), "refresh");
      return true;
    } catch (error) {
      return await afterRefusal(parts, context, client, old, error);
    }
  };
  return records.locked(tokensRecord, [server.issuer, cache.url], work, signal);
}

async function request(context: SessionGrantContext, client: OAuthClient, refreshToken: string): Promise<TokenSet> {
  const parameters = { refresh_token: refreshToken };
  try {
    return await context.tokens.request(client, "refresh_token", parameters);
  } catch (error) {
    // The connection may have been closed while it was idle. With a response, the server itself is unavailable.
    if (!(error instanceof AuthorizationError) || error.reason !== "unreachable" || error.data.status !== undefined)
      throw error;
    return context.tokens.request(client, "refresh_token", parameters);
  }
}

async function afterRefusal(
  { cache, grant }: SessionParts,
  context: SessionGrantContext,
  client: OAuthClient,
  old: TokenSet,
  error: unknown,
): Promise<boolean> {
  const code = refusalOf(error);
  const isUnknownClient = code === "invalid_client" && client.source === "dynamic";
  if (code === undefined || !(isUnknownClient || finalRefusals.includes(code))) throw error;
  // Another process, which shares no lock with this one, may have used the refresh token first.
  await cache.reload();
  if (cache.hasOther(old.accessToken)) return true;
  if (isUnknownClient) await grant.forgetClient?.(context, client);
  if (code === "invalid_grant" || isUnknownClient) await cache.dropTokens();
  return false;
}

/** The OAuth error code with which the authorization server refused a request. */
export function refusalOf(error: unknown): string | undefined {
  return error instanceof AuthorizationError ? error.data.error : undefined;
}

function nextRecord(record: ServerRecord, { resource }: DiscoveredServer): ServerRecord {
  return { ...record, ...(resource !== undefined && { resource }) };
}
