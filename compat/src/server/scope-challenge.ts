import type { AuthInfo, JSONRPCRequest } from "../types/index.js";

/** The scopes that a request needs. */
export interface ScopeChallenge {
  scopes: readonly [string, ...string[]];
  errorDescription?: string;
}

/** Returns the scopes that a request lacks; undefined when it has all of them. */
export type ScopeChallengeHandler = (context: {
  request: JSONRPCRequest;
  authInfo?: AuthInfo;
}) => ScopeChallenge | undefined | Promise<ScopeChallenge | undefined>;

/** Requires all of these scopes. */
export function requireScopes(...scopes: readonly [string, ...string[]]): ScopeChallengeHandler {
  return ({ authInfo }) => {
    const granted = new Set(authInfo?.scopes);
    return scopes.every((scope) => granted.has(scope)) ? undefined : { scopes };
  };
}
