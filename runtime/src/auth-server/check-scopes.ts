import { SdkError } from "../jsonrpc/errors.js";
import { isScopeName } from "../rules/scope-names.js";

/** Asks for refresh tokens: it concerns the client and its authorization server, no resource (MCP 2026-07-28, refresh tokens). */
const offlineAccess = "offline_access";

/** Whether servers may name a scope in challenges and in their metadata. */
export function isResourceScope(scope: unknown): scope is string {
  return isScopeName(scope) && scope !== offlineAccess;
}

/**
 * Checks scopes of the user's code, and returns each once.
 * @param where names them in messages, such as `requiredScopes`
 * @throws SdkError `INVALID_CONFIGURATION` for something other than a list of scopes, and for `offline_access`
 */
export function checkScopes(scopes: unknown, where: string): readonly string[] {
  if (!Array.isArray(scopes)) throw invalid(where, `must be an array of scopes, such as ["files:read"]`);
  for (const scope of scopes as readonly unknown[]) {
    if (scope === offlineAccess)
      throw invalid(
        where,
        `must not contain "${offlineAccess}": clients request it from the authorization server, if they want`,
      );
    if (!isScopeName(scope)) {
      const got = typeof scope === "string" ? JSON.stringify(scope.slice(0, 100)) : typeof scope;
      throw invalid(where, `must contain strings without spaces, quotes and backslashes, one scope each; got ${got}`);
    }
  }
  return [...new Set(scopes as readonly string[])];
}

function invalid(where: string, problem: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", `${where} ${problem}`);
}
