import type { OAuthOptions } from "../oauth-options.js";

/**
 * Prefers the issuer where a client is registered among those that an MCP server lists. When it is not one of them, the grant
 * reports that.
 */
export function boundToIssuer<Options extends OAuthOptions & { readonly issuer?: string }>(options: Options): Options {
  const { issuer, selectIssuer = (issuers) => issuers.find((listed) => listed === issuer) ?? issuers[0] } = options;
  return issuer === undefined ? options : { ...options, selectIssuer };
}
