import { allowInsecureRequests, customFetch, processRevocationResponse, revocationRequest } from "oauth4webapi";
import type { AuthorizationServer, CustomFetchOptions } from "oauth4webapi";
import { AuthorizationError } from "../auth-errors.js";
import type { OAuthClient } from "../client-identity/oauth-client.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import type { TokenRequests } from "../grants/grant.js";
import type { OAuthOptions } from "../oauth-options.js";
import { acceptsDpopProofs } from "./dpop.js";
import type { DpopKey } from "./dpop.js";
import { endpointUrl } from "./endpoint-url.js";
import { limitedRequest } from "./limited-request.js";
import { normalizeRevocationResponse } from "./normalize-token-response.js";
import { readTokenSet, splitScopes } from "./read-token-set.js";
import { secretsOfRequest } from "./secrets-of-request.js";
import { toAuthorizationError } from "./token-errors.js";
import { sendTokenRequest } from "./token-request.js";
import type { TokenSet } from "./token-set.js";

/** The token and revocation endpoints of the authorization server of one MCP server. */
export class TokenEndpoint implements TokenRequests {
  readonly #metadata: AuthorizationServer;

  /**
   * @param dpop the key to which tokens are bound; undefined for Bearer tokens
   * @param scopes the scopes that a token has when neither the response nor the parameters name them
   */
  constructor(
    readonly server: DiscoveredServer,
    readonly options: OAuthOptions,
    readonly dpop: DpopKey | undefined,
    readonly scopes: readonly string[] | undefined,
    readonly signal: AbortSignal,
  ) {
    // The audience of client assertions is the issuer exactly as it was discovered.
    this.#metadata = { ...server.metadata, issuer: server.issuer };
  }

  /** @throws AuthorizationError `insecure-url`, `metadata-invalid`, `token-refused`, `token-invalid`, `unreachable` */
  async request(
    client: OAuthClient,
    grantType: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<TokenSet> {
    const { issuer, resource } = this.server;
    const { clientId, authentication } = client;
    const { dpop, options, signal } = this;
    if (dpop && acceptsDpopProofs(this.#metadata) === false)
      throw new AuthorizationError(
        "metadata-invalid",
        `${issuer} does not accept DPoP proofs with ES256 (dpop_signing_alg_values_supported); use the option \`dpop: false\``,
        { issuer },
      );
    const response = await sendTokenRequest({
      metadata: this.#metadata,
      clientId,
      authentication,
      grantType,
      parameters: { ...parameters, ...(resource !== undefined && { resource }) },
      dpop,
      options,
      signal,
    });
    const scopes = splitScopes(parameters["scope"]) ?? this.scopes;
    return readTokenSet(response, { issuer, clientId, scopes, dpop, mustBeBound: options.dpop === true });
  }

  /**
   * Revokes a token (RFC 7009); the authorization server also ends the tokens that depend on it.
   * @returns false when the authorization server offers no revocation
   * @throws AuthorizationError `insecure-url`, `metadata-invalid`, `token-refused`, `token-invalid`, `unreachable`
   */
  async revoke(client: OAuthClient, token: string, hint: "access_token" | "refresh_token"): Promise<boolean> {
    const { issuer } = this.server;
    const url = endpointUrl(this.#metadata, "revocation_endpoint");
    if (!url) return false;
    let secrets: readonly string[] = [];
    const send = async (
      _url: string,
      { body, headers, method }: CustomFetchOptions<"POST", URLSearchParams>,
    ): Promise<Response> => {
      secrets = secretsOfRequest(body, headers);
      const request = { body, headers, method };
      const { response, text } = await limitedRequest(url, request, this.options, secrets, this.signal);
      return normalizeRevocationResponse(response, text, issuer, secrets);
    };
    try {
      const response = await revocationRequest(
        this.#metadata,
        { client_id: client.clientId },
        client.authentication,
        token,
        {
          additionalParameters: { token_type_hint: hint },
          [customFetch]: send,
          [allowInsecureRequests]: url.protocol === "http:",
        },
      );
      await processRevocationResponse(response);
      return true;
    } catch (error) {
      throw toAuthorizationError(error, `The revocation endpoint of ${issuer}`, issuer, secrets);
    }
  }
}
