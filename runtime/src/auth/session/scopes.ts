/** The scope with which OpenID providers issue refresh tokens (OpenID Connect Core 1.0, section 11). */
const offlineAccess = "offline_access";

export interface ScopeSources {
  /** Those of the challenge of the MCP server. */
  readonly challenged: readonly string[] | undefined;
  /** The `scopes_supported` of the MCP server. */
  readonly supported: readonly string[] | undefined;
  /** Those that the application wants besides. */
  readonly configured: readonly string[] | undefined;
  /** Those of earlier authorizations, which must not be lost. */
  readonly earlier: readonly string[] | undefined;
}

/**
 * Returns the scopes to request: those of the challenge, otherwise all that the MCP server lists, and those of the application
 * and of earlier authorizations (MCP, authorization, scope selection strategy). Undefined when there are none.
 */
export function initialScopes({
  challenged,
  supported,
  configured,
  earlier,
}: ScopeSources): readonly string[] | undefined {
  return nonEmpty(unionOfScopes(challenged ?? supported, configured, earlier));
}

/**
 * Adds `offline_access` when the authorization server lists it, to get a refresh token (MCP, authorization, refresh tokens).
 * Without other scopes it is not added: the authorization server would no longer grant its default scopes.
 */
export function withOfflineAccess(
  scopes: readonly string[] | undefined,
  listed: readonly string[] | undefined,
): readonly string[] | undefined {
  return scopes && listed?.includes(offlineAccess) ? unionOfScopes(scopes, [offlineAccess]) : scopes;
}

/** Returns each scope once, in the order of the first mention. */
export function unionOfScopes(...sets: readonly (readonly string[] | undefined)[]): readonly string[] {
  return [...new Set(sets.flatMap((scopes) => scopes ?? []))];
}

/** Returns the scopes of a `scope` parameter (RFC 6749, section 3.3); undefined when there are none. */
export function parseScopes(scope: string | undefined): readonly string[] | undefined {
  return nonEmpty(unionOfScopes(scope?.split(/\s+/).filter((one) => one !== "")));
}

function nonEmpty(scopes: readonly string[]): readonly string[] | undefined {
  return scopes.length > 0 ? scopes : undefined;
}
