import { SdkError } from "../../jsonrpc/errors.js";
import type { Provided } from "../client-identity/client-authentication.js";
import type { PrivateKey } from "../client-identity/signing-key.js";
import { ClientCredentialsGrant } from "../grants/client-credentials.js";
import type { OAuthOptions } from "../oauth-options.js";
import { boundToIssuer } from "./bound-to-issuer.js";
import { OAuthProvider } from "./oauth-provider.js";

export interface PrivateKeyJwtProviderOptions extends OAuthOptions {
  /** The id with which the application is registered at the authorization server. */
  readonly clientId: string;
  /** The private key whose public key is registered: a `CryptoKey`, a JWK, or PKCS#8 as PEM text; or a function that returns it. */
  readonly privateKey: Provided<PrivateKey>;
  /**
   * The JWS algorithm, such as `ES256`. Default: that of the JWK, else the first one that fits the key and that the authorization
   * server lists.
   */
  readonly algorithm?: string;
  /** The `kid` of the assertions. Default: that of the JWK. */
  readonly keyId?: string;
  /** Seconds that an assertion is valid. Default: 60. */
  readonly jwtLifetimeSeconds?: number;
  /** More claims for the assertions; they replace those that the provider sets, such as `aud`. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /**
   * The issuer of the authorization server where the client is registered. Assertions are then sent to no other server. Default:
   * the authorization server that the MCP server names.
   */
  readonly issuer?: string;
}

/**
 * Authorizes a service that calls MCP servers in its own name, with assertions that it signs (RFC 7523, section 2.2; MCP extension
 * `io.modelcontextprotocol/oauth-client-credentials`). No user takes part.
 *
 * Declare the extension in the capabilities of the client (`oauthClientCredentials`).
 *
 * @example
 * ```ts
 * const authProvider = new PrivateKeyJwtProvider({
 *   clientId: "nightly-report",
 *   privateKey: await readFile("/run/secrets/client-key.pem", "utf8"), // -----BEGIN PRIVATE KEY-----
 *   issuer: "https://auth.example.com",
 * });
 * const transport = new StreamableHTTPClientTransport(new URL("https://mcp.example.com/mcp"), { authProvider });
 * ```
 */
export class PrivateKeyJwtProvider extends OAuthProvider {
  /** @throws SdkError `INVALID_CONFIGURATION` when an option is invalid */
  constructor(options: PrivateKeyJwtProviderOptions) {
    const given: unknown = options.privateKey;
    if (given === undefined || given === null)
      throw new SdkError("INVALID_CONFIGURATION", "privateKey must be a CryptoKey, a JWK, PEM text, or a function");
    super(
      new ClientCredentialsGrant({ ...options, tokenEndpointAuthMethod: "private_key_jwt" }),
      boundToIssuer(options),
    );
  }
}
