import { SdkError } from "../../jsonrpc/errors.js";
import { JwtBearerGrant } from "../grants/jwt-bearer.js";
import type { AssertionContext } from "../grants/jwt-bearer.js";
import type { OAuthOptions } from "../oauth-options.js";
import { boundToIssuer } from "./bound-to-issuer.js";
import { OAuthProvider } from "./oauth-provider.js";

export interface WorkloadIdentityProviderOptions extends OAuthOptions {
  /** The id that the authorization server knows for the workload. */
  readonly clientId: string;
  /**
   * Returns the JWT of the platform, whose audience is the authorization server. Called for each token request; the JWT is not
   * kept. `assertionFromFile` of `/auth/node` reads the file that a platform keeps up to date.
   */
  readonly assertion: (context: AssertionContext) => string | Promise<string>;
  /**
   * The issuer of the authorization server that trusts the platform. Assertions are then sent to no other server. Default: the
   * authorization server that the MCP server names.
   */
  readonly issuer?: string;
}

/**
 * Authorizes a workload that its platform identifies, such as a Kubernetes pod or a job of a CI service, without a secret of its
 * own: exchanges the JWT of the platform for access tokens (RFC 7523, section 2.1).
 *
 * When the authorization server refuses, the request fails with `AuthorizationError`. The same JWT is not sent to it again, and no
 * other grant is tried.
 *
 * @example
 * ```ts
 * const authProvider = new WorkloadIdentityProvider({
 *   clientId: "nightly-report",
 *   assertion: assertionFromFile("/var/run/secrets/tokens/mcp"),
 *   issuer: "https://auth.example.com",
 * });
 * const transport = new StreamableHTTPClientTransport(new URL("https://mcp.example.com/mcp"), { authProvider });
 * ```
 */
export class WorkloadIdentityProvider extends OAuthProvider {
  /** @throws SdkError `INVALID_CONFIGURATION` when an option is invalid */
  constructor(options: WorkloadIdentityProviderOptions) {
    const { clientId, issuer, assertion } = options;
    if (typeof assertion !== "function")
      throw new SdkError("INVALID_CONFIGURATION", "assertion must be a function that returns the JWT of the platform");
    const client = { clientId, ...(issuer !== undefined && { issuer }), tokenEndpointAuthMethod: "none" as const };
    super(new JwtBearerGrant(client, (context) => assertion(context), options), boundToIssuer(options));
  }
}
