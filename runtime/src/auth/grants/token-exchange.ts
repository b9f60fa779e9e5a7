import type { AuthorizationServer } from "oauth4webapi";
import { SdkError } from "../../jsonrpc/errors.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { AuthorizationError } from "../auth-errors.js";
import { assertText, ClientAuthentication, provided } from "../client-identity/client-authentication.js";
import type { ClientAuthenticationOptions, Provided } from "../client-identity/client-authentication.js";
import { newestRules } from "../discovery/newest-rules.js";
import { assertSecureUrl } from "../discovery/secure-url.js";
import { requireServerMetadata } from "../discovery/server-metadata.js";
import type { OAuthOptions } from "../oauth-options.js";
import { requestLimits } from "../tokens/limited-request.js";
import { splitScopes } from "../tokens/read-token-set.js";
import { sendTokenRequest } from "../tokens/token-request.js";

const idJag = "urn:ietf:params:oauth:token-type:id-jag";

/** The identity provider of an organization, and how this application authenticates there. */
export interface IdentityProviderOptions extends ClientAuthenticationOptions {
  /** The id of this application at the identity provider. */
  readonly clientId: string;
  /** The issuer of the identity provider, whose metadata names the token endpoint. Needed without `tokenEndpoint`. */
  readonly issuer?: string;
  /** The URL of the token endpoint. Default: that of the metadata of `issuer`. */
  readonly tokenEndpoint?: string;
  /**
   * The identity assertion of the user, from the log-in at the identity provider. A function is called for each exchange, so that
   * it can replace an assertion that has expired.
   */
  readonly subjectToken: Provided<string>;
  /** Whether `subjectToken` is an ID token of OpenID Connect, or a SAML 2 assertion. Default: `"id_token"`. */
  readonly subjectTokenType?: "id_token" | "saml2";
}

/** What a JWT authorization grant is requested for. */
export interface JwtAuthGrantRequest {
  /** The issuer of the MCP server's authorization server. */
  readonly audience: string;
  /** The identifier of the MCP server (RFC 9728). */
  readonly resource: string;
  /** The scopes to request, separated by spaces. */
  readonly scope?: string | undefined;
}

export interface JwtAuthGrantResult {
  /** The JWT authorization grant (ID-JAG): the `assertion` for the authorization server of the MCP server. */
  readonly jwtAuthGrant: string;
  /** Seconds that it is valid; undefined when the identity provider did not say. */
  readonly expiresIn: number | undefined;
  /** The scopes that the identity provider allows, separated by spaces; undefined for the requested ones. */
  readonly scope: string | undefined;
}

/** Exchanges identity assertions of users at the identity provider of their organization (RFC 8693). */
export class IdentityProvider {
  readonly #provider: IdentityProviderOptions;
  readonly #authentication: ClientAuthentication;
  readonly #options: OAuthOptions;

  /** @throws SdkError `INVALID_CONFIGURATION` when an option is invalid */
  constructor(provider: IdentityProviderOptions, options: OAuthOptions) {
    assertText(provider.clientId, "identityProvider.clientId");
    if (provider.issuer === undefined) assertText(provider.tokenEndpoint, "identityProvider.tokenEndpoint or issuer");
    this.#provider = provider;
    this.#authentication = new ClientAuthentication(provider);
    this.#options = options;
  }

  /**
   * Exchanges the user's identity assertion for a JWT authorization grant (MCP extension
   * `io.modelcontextprotocol/enterprise-managed-authorization`, section 4).
   * @throws AuthorizationError `token-refused` when the organization does not allow it, or the assertion has expired;
   * `token-invalid` when the response is not a JWT authorization grant; those of the discovery
   */
  async exchange(request: JwtAuthGrantRequest, signal: AbortSignal): Promise<JwtAuthGrantResult> {
    const { clientId, subjectToken, subjectTokenType = "id_token" } = this.#provider;
    const subject = await provided(subjectToken);
    assertText(subject, "subjectToken");
    const metadata = await this.#discover(signal);
    const { issuer } = metadata;
    const response = await sendTokenRequest({
      metadata,
      clientId,
      authentication: this.#authentication.choose({ issuer, metadata }),
      grantType: "urn:ietf:params:oauth:grant-type:token-exchange",
      parameters: {
        requested_token_type: idJag,
        audience: request.audience,
        resource: request.resource,
        ...(request.scope !== undefined && { scope: request.scope }),
        subject_token: subject,
        subject_token_type: `urn:ietf:params:oauth:token-type:${subjectTokenType}`,
      },
      tokenTypes: ["n_a"],
      options: this.#options,
      signal,
    });
    if (response["issued_token_type"] !== idJag)
      throw new AuthorizationError(
        "token-invalid",
        `The identity provider ${issuer} did not issue a JWT authorization grant: issued_token_type must be ${idJag}`,
        { issuer },
      );
    return {
      jwtAuthGrant: response.access_token,
      expiresIn: response.expires_in,
      scope: splitScopes(response.scope)?.join(" "),
    };
  }

  async #discover(signal: AbortSignal): Promise<AuthorizationServer> {
    const { issuer, tokenEndpoint } = this.#provider;
    const issuerUrl = issuer === undefined ? undefined : namedUrl(issuer, "identityProvider.issuer");
    if (tokenEndpoint !== undefined) {
      const { origin } = namedUrl(tokenEndpoint, "identityProvider.tokenEndpoint");
      return { issuer: issuer ?? origin, token_endpoint: tokenEndpoint };
    }
    if (issuer === undefined || !issuerUrl) throw new Error("the constructor accepts no such options");
    const { fetch: send = (url, init) => fetch(url, init) } = this.#options;
    const documents = { fetch: send, ...requestLimits(this.#options), signal };
    return requireServerMetadata(issuer, issuerUrl, newestRules(true), documents);
  }
}

function namedUrl(text: string, name: string): URL {
  const url = parseUrl(text);
  if (!url) throw new SdkError("INVALID_CONFIGURATION", `${name} must be a URL`);
  assertSecureUrl(url, name);
  return url;
}
