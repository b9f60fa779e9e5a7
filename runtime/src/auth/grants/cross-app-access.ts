import { AuthorizationError } from "../auth-errors.js";
import type { PreRegisteredClient } from "../client-identity/client-identity-options.js";
import type { OAuthOptions } from "../oauth-options.js";
import { splitScopes } from "../tokens/read-token-set.js";
import { JwtBearerGrant } from "./jwt-bearer.js";
import type { AssertionSource } from "./jwt-bearer.js";
import { IdentityProvider } from "./token-exchange.js";
import type { IdentityProviderOptions } from "./token-exchange.js";

/**
 * Gets tokens for a user whose organization manages the access to MCP servers (MCP extension
 * `io.modelcontextprotocol/enterprise-managed-authorization`): exchanges the user's identity assertion at the identity provider, and
 * the result at the authorization server of the MCP server. When one of them refuses, the request fails; the user is not asked.
 */
export class CrossAppAccessGrant extends JwtBearerGrant {
  /**
   * @param client the client at the authorization server of the MCP server
   * @param source the identity provider, or a function that returns a JWT authorization grant (ID-JAG)
   */
  constructor(client: PreRegisteredClient, source: IdentityProviderOptions | AssertionSource, options: OAuthOptions) {
    super(client, requireResource(typeof source === "function" ? source : exchanged(source, options)), options);
  }
}

function exchanged(identityProvider: IdentityProviderOptions, options: OAuthOptions): AssertionSource {
  const provider = new IdentityProvider(identityProvider, options);
  return async ({ authorizationServerUrl, resourceUrl, scope, signal }, { scopes }) => {
    const request = { audience: authorizationServerUrl, resource: resourceUrl, scope };
    const result = await provider.exchange(request, signal);
    // The identity provider may allow fewer scopes.
    return { assertion: result.jwtAuthGrant, scopes: splitScopes(result.scope) ?? scopes };
  };
}

function requireResource(source: AssertionSource): AssertionSource {
  return (context, grant) => {
    const { server, url } = grant;
    if (server.resource !== undefined) return source(context, grant);
    throw new AuthorizationError(
      "metadata-not-found",
      `${url.origin}${url.pathname} has no resource metadata, which enterprise-managed authorization requires`,
      { issuer: server.issuer },
    );
  };
}
