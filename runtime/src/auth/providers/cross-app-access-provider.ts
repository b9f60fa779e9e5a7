import { SdkError } from "../../jsonrpc/errors.js";
import type { PreRegisteredClient } from "../client-identity/client-identity-options.js";
import { CrossAppAccessGrant } from "../grants/cross-app-access.js";
import type { AssertionContext } from "../grants/jwt-bearer.js";
import type { IdentityProviderOptions } from "../grants/token-exchange.js";
import type { OAuthOptions } from "../oauth-options.js";
import { boundToIssuer } from "./bound-to-issuer.js";
import { OAuthProvider } from "./oauth-provider.js";

/** The client at the authorization server of the MCP server, and where its JWT authorization grants come from. */
export interface CrossAppAccessProviderOptions extends OAuthOptions, Omit<PreRegisteredClient, "clientId"> {
  /** The id with which the application is registered at the authorization server of the MCP server. */
  readonly clientId: string;
  /** The identity provider of the organization, where the user has logged in. */
  readonly identityProvider?: IdentityProviderOptions;
  /** Returns a JWT authorization grant (ID-JAG) for one token request; instead of `identityProvider`. */
  readonly assertion?: (context: AssertionContext) => string | Promise<string>;
}

/**
 * Authorizes a user whose organization manages the access to MCP servers (MCP extension
 * `io.modelcontextprotocol/enterprise-managed-authorization`): the user has logged in to the application at the identity provider
 * of the organization, and is not asked again for each MCP server.
 *
 * When the identity provider or the authorization server refuses, the request fails with `AuthorizationError`; there is no silent
 * change to another way to log in. With `invalid_grant` from the identity provider, the user's identity assertion has usually
 * expired: let `subjectToken` return a new one.
 *
 * Declare the extension in the capabilities of the client (`enterpriseManagedAuthorization`).
 *
 * @example
 * ```ts
 * const authProvider = new CrossAppAccessProvider({
 *   clientId: "app-at-mcp-server",
 *   clientSecret: mcpClientSecret,
 *   identityProvider: {
 *     issuer: "https://acme.idp.example",
 *     clientId: "app-at-acme",
 *     clientSecret: idpClientSecret,
 *     subjectToken: () => session.idToken,
 *   },
 * });
 * const transport = new StreamableHTTPClientTransport(new URL("https://mcp.example.com/mcp"), { authProvider });
 * ```
 */
export class CrossAppAccessProvider extends OAuthProvider {
  /** @throws SdkError `INVALID_CONFIGURATION` when an option is invalid */
  constructor(options: CrossAppAccessProviderOptions) {
    const { identityProvider, assertion } = options;
    const source = identityProvider ?? (assertion && ((context: AssertionContext) => assertion(context)));
    if (!source || (identityProvider && assertion))
      throw new SdkError("INVALID_CONFIGURATION", "pass either identityProvider or assertion");
    super(new CrossAppAccessGrant(options, source, options), boundToIssuer(options));
  }
}
