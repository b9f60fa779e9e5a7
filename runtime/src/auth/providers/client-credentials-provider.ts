import { assertText } from "../client-identity/client-authentication.js";
import type { Provided } from "../client-identity/client-authentication.js";
import { ClientCredentialsGrant } from "../grants/client-credentials.js";
import type { OAuthOptions } from "../oauth-options.js";
import { boundToIssuer } from "./bound-to-issuer.js";
import { OAuthProvider } from "./oauth-provider.js";

export interface ClientCredentialsProviderOptions extends OAuthOptions {
  /** The id with which the application is registered at the authorization server. */
  readonly clientId: string;
  /** The secret of the client. A function is called for each token request, for example to read it from a vault. */
  readonly clientSecret: Provided<string>;
  /**
   * The issuer of the authorization server where the client is registered. The secret is then sent to no other server, even if the
   * MCP server names one. Set it whenever you know it. Default: the authorization server that the MCP server names.
   */
  readonly issuer?: string;
  /**
   * Where the secret is sent: in the `Authorization` header, or in the body. Default: the first one that the authorization server
   * lists, and `client_secret_basic` without a list.
   */
  readonly tokenEndpointAuthMethod?: "client_secret_basic" | "client_secret_post";
}

/**
 * Authorizes a service that calls MCP servers in its own name, with a client id and a secret (RFC 6749, section 4.4; MCP extension
 * `io.modelcontextprotocol/oauth-client-credentials`). No user takes part. A `PrivateKeyJwtProvider` is safer: its key is never
 * sent.
 *
 * Declare the extension in the capabilities of the client (`oauthClientCredentials`).
 *
 * @example
 * ```ts
 * const authProvider = new ClientCredentialsProvider({
 *   clientId: "nightly-report",
 *   clientSecret: () => vault.read("mcp-client-secret"),
 *   issuer: "https://auth.example.com",
 *   scopes: ["reports:read"],
 * });
 * const transport = new StreamableHTTPClientTransport(new URL("https://mcp.example.com/mcp"), { authProvider });
 * ```
 */
export class ClientCredentialsProvider extends OAuthProvider {
  /** @throws SdkError `INVALID_CONFIGURATION` when an option is invalid */
  constructor(options: ClientCredentialsProviderOptions) {
    if (typeof options.clientSecret !== "function") assertText(options.clientSecret, "clientSecret");
    super(new ClientCredentialsGrant(options), boundToIssuer(options));
  }
}
