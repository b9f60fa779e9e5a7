import {
  authorizationCodeGrantRequest,
  getValidatedIdTokenClaims,
  processAuthorizationCodeResponse,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from "oauth4webapi";
import { SdkError } from "../../jsonrpc/errors.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import type {
  UpstreamContext,
  UpstreamLogin,
  UpstreamProvider,
  UpstreamRequest,
  UpstreamResponse,
  UpstreamTokenSet,
  UpstreamUser,
} from "../upstream-provider.js";
import { DiscoveredIssuer } from "./discovered-issuer.js";
import { isLoopbackHttp, ProviderClient } from "./provider-client.js";
import type { ProviderOptions } from "./provider-options.js";
import { refreshTokens, tolerantTokens } from "./token-requests.js";

export interface OidcOptions extends ProviderOptions {
  /** The issuer identifier, exactly as the provider states it. Its metadata is found below it, at `/.well-known/openid-configuration`. */
  readonly issuer: string;
  /** The name of the provider on the consent page. Default: the host of `issuer`. */
  readonly name?: string;
  /**
   * Default: `["openid", "offline_access"]`. `openid` is always requested. Many providers respect `offline_access` only with
   * `authorizationParameters: { prompt: "consent" }` (OpenID Connect Core 1.0, section 11).
   */
  readonly scopes?: readonly string[];
}

/**
 * A provider of OpenID Connect (Core 1.0): discovery, PKCE, nonce, and an ID token whose signature, issuer, audience and times are
 * verified. The subject is the `sub` of the ID token. All users of the provider may log in, unless you pass `acceptUser`.
 * @throws SdkError `INVALID_CONFIGURATION`
 * @example
 * ```ts
 * const upstream = oidc({
 *   issuer: "https://login.example.com",
 *   clientId: "mcp-proxy",
 *   clientSecret: process.env["LOGIN_SECRET"] ?? "",
 * });
 * ```
 */
export function oidc(options: OidcOptions): UpstreamProvider {
  return new OidcProvider(options);
}

export class OidcProvider implements UpstreamProvider {
  readonly issuer: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly #client: ProviderClient;
  readonly #discovered: DiscoveredIssuer;

  constructor(options: OidcOptions) {
    const { issuer, name, scopes = ["openid", "offline_access"] } = Object(options) as OidcOptions;
    const url = typeof issuer === "string" ? parseUrl(issuer) : undefined;
    if (!url || !(url.protocol === "https:" || isLoopbackHttp(issuer)) || url.search || url.hash || url.username)
      throw new SdkError(
        "INVALID_CONFIGURATION",
        "oidc: issuer must be the https URL of the provider, such as https://login.example.com",
      );
    this.issuer = issuer;
    this.name = name ?? url.host;
    this.scopes = [...new Set(["openid", ...scopes])];
    this.#client = new ProviderClient(this.name, this.scopes, options);
    this.#discovered = new DiscoveredIssuer(this.#client, issuer);
  }

  async authorizationUrl(request: UpstreamRequest, context: UpstreamContext): Promise<URL> {
    const { authorization_endpoint: endpoint } = await this.#discovered.metadata(context);
    const url = await this.#client.authorizationUrl(endpoint, request);
    url.searchParams.set("nonce", request.nonce);
    return url;
  }

  async finish(response: UpstreamResponse, context: UpstreamContext): Promise<UpstreamLogin> {
    const { parameters, redirectUri, codeVerifier, state, nonce } = response;
    const { client, authentication } = this.#client;
    const metadata = await this.#discovered.metadata(context);
    const library = this.#discovered.library(context);
    const secrets = [codeVerifier, state, parameters.get("code") ?? ""];
    const found = await this.#client.run(async () => {
      const valid = validateAuthResponse(metadata, client, parameters, state);
      const auth = await authentication.choose(metadata);
      const sent = await authorizationCodeGrantRequest(
        metadata,
        client,
        auth,
        valid,
        redirectUri,
        codeVerifier,
        tolerantTokens(library),
      );
      const tokens = await processAuthorizationCodeResponse(metadata, client, sent, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      await validateApplicationLevelSignature(metadata, sent, library);
      return tokens;
    }, secrets);
    const claims = getValidatedIdTokenClaims(found);
    if (!claims) throw this.#client.invalid("sent no ID token");
    const user: UpstreamUser = { issuer: this.issuer, subject: claims.sub, claims };
    await this.#client.assertAccepted(user);
    return { user, tokens: this.#client.readTokens(found) };
  }

  async refresh(refreshToken: string, context: UpstreamContext): Promise<UpstreamTokenSet> {
    const metadata = await this.#discovered.metadata(context);
    return refreshTokens(this.#client, metadata, refreshToken, this.#discovered.library(context));
  }
}
