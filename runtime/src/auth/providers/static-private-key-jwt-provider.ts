import { assertText } from "../client-identity/client-authentication.js";
import type { Provided } from "../client-identity/client-authentication.js";
import { ClientCredentialsGrant } from "../grants/client-credentials.js";
import type { OAuthOptions } from "../oauth-options.js";
import { boundToIssuer } from "./bound-to-issuer.js";
import { OAuthProvider } from "./oauth-provider.js";

export interface StaticPrivateKeyJwtProviderOptions extends OAuthOptions {
  /** The id with which the application is registered at the authorization server. */
  readonly clientId: string;
  /**
   * A client assertion that was signed elsewhere, with the claims `iss`, `sub`, `aud`, `exp` and `jti`; or a function that returns a
   * new one for each token request.
   */
  readonly jwtBearerAssertion: Provided<string>;
  /**
   * The issuer of the authorization server that the assertion is for. It is then sent to no other server. Default: the
   * authorization server that the MCP server names.
   */
  readonly issuer?: string;
}

/**
 * Like `PrivateKeyJwtProvider`, with assertions that are signed elsewhere, for example by a key management service that never
 * releases the key.
 *
 * @example
 * ```ts
 * const authProvider = new StaticPrivateKeyJwtProvider({
 *   clientId: "nightly-report",
 *   jwtBearerAssertion: () => keyService.signAssertion("nightly-report", "https://auth.example.com"),
 *   issuer: "https://auth.example.com",
 * });
 * ```
 */
export class StaticPrivateKeyJwtProvider extends OAuthProvider {
  /** @throws SdkError `INVALID_CONFIGURATION` when an option is invalid */
  constructor(options: StaticPrivateKeyJwtProviderOptions) {
    if (typeof options.jwtBearerAssertion !== "function") assertText(options.jwtBearerAssertion, "jwtBearerAssertion");
    super(
      new ClientCredentialsGrant({ ...options, tokenEndpointAuthMethod: "private_key_jwt" }),
      boundToIssuer(options),
    );
  }
}
