import {
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  processGenericTokenEndpointResponse,
  validateAuthResponse,
} from "oauth4webapi";
import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { UpstreamError } from "../upstream-error.js";
import type {
  UpstreamContext,
  UpstreamLogin,
  UpstreamProvider,
  UpstreamRequest,
  UpstreamResponse,
  UpstreamTokenSet,
  UpstreamUser,
} from "../upstream-provider.js";
import { ProviderClient } from "./provider-client.js";
import type { ProviderOptions } from "./provider-options.js";
import { refreshTokens, tolerantTokens } from "./token-requests.js";

export interface GithubOptions extends ProviderOptions {
  readonly clientSecret: string;
  /** Default: none, which reads public information. GitHub Apps have permissions instead of scopes. */
  readonly scopes?: readonly string[];
  /** The origin of a GitHub Enterprise Server, or `https://<subdomain>.ghe.com`. Default: `https://github.com`. */
  readonly origin?: string;
  /**
   * The URL of its REST API. Default: `https://api.github.com`, `https://api.<subdomain>.ghe.com`, or `<origin>/api/v3` on a GitHub
   * Enterprise Server.
   */
  readonly apiUrl?: string;
}

/**
 * GitHub accounts, with an OAuth app or a GitHub App: OAuth with PKCE. The subject is the numeric id of the account, which stays the
 * same when the user changes the login name. Tokens of OAuth apps do not expire; those of GitHub Apps are refreshed.
 *
 * Everybody with an account at GitHub may log in, unless you pass `acceptUser`.
 * @throws SdkError `INVALID_CONFIGURATION`
 * @example
 * ```ts
 * const upstream = github({
 *   clientId: "Iv1.0123456789abcdef",
 *   clientSecret: process.env["GITHUB_SECRET"] ?? "",
 *   scopes: ["read:org"],
 * });
 * ```
 */
export function github(options: GithubOptions): UpstreamProvider {
  return new GithubProvider(options);
}

class GithubProvider implements UpstreamProvider {
  readonly issuer: string;
  readonly name = "GitHub";
  readonly scopes: readonly string[];
  readonly #client: ProviderClient;
  readonly #metadata: AuthorizationServer;
  readonly #userUrl: URL;

  constructor(options: GithubOptions) {
    const { origin = "https://github.com", scopes = [] } = Object(options) as GithubOptions;
    const url = parseUrl(origin);
    if (url?.protocol !== "https:" || url.pathname !== "/")
      throw new SdkError(
        "INVALID_CONFIGURATION",
        "github: origin must be an https origin, such as https://github.example.com",
      );
    const api = parseUrl(options.apiUrl ?? apiUrlOf(url));
    if (api?.protocol !== "https:") throw new SdkError("INVALID_CONFIGURATION", "github: apiUrl must be an https URL");
    this.issuer = `${url.origin}/login/oauth`;
    this.scopes = [...new Set(scopes)];
    this.#client = new ProviderClient(this.name, this.scopes, options);
    this.#metadata = {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/access_token`,
      token_endpoint_auth_methods_supported: ["client_secret_post"],
    };
    this.#userUrl = new URL(`${api.href.replace(/\/$/, "")}/user`);
  }

  authorizationUrl(request: UpstreamRequest): Promise<URL> {
    return this.#client.authorizationUrl(this.#metadata.authorization_endpoint, request);
  }

  async finish(response: UpstreamResponse, context: UpstreamContext): Promise<UpstreamLogin> {
    const { parameters, redirectUri, codeVerifier, state } = response;
    const { client, authentication } = this.#client;
    const metadata = this.#metadata;
    const library = tolerantTokens(this.#client.library(context, false), ["id_token"]);
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
        library,
      );
      return processGenericTokenEndpointResponse(metadata, client, sent);
    }, secrets);
    const tokens = this.#client.readTokens(found);
    const user = await this.#user(tokens.accessToken, context);
    await this.#client.assertAccepted(user);
    return { user, tokens };
  }

  refresh(refreshToken: string, context: UpstreamContext): Promise<UpstreamTokenSet> {
    return refreshTokens(this.#client, this.#metadata, refreshToken, this.#client.library(context, false));
  }

  async #user(accessToken: string, context: UpstreamContext): Promise<UpstreamUser> {
    const headers = {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${accessToken}`,
      "user-agent": "mcpwright",
    };
    const response = await this.#client.request(this.#userUrl, { method: "GET", headers }, context);
    if (response.status === 401 || response.status === 403)
      throw new UpstreamError(
        "refused",
        `GitHub does not accept its own token for ${this.#userUrl.href}: status ${response.status}`,
      );
    const profile = await readJson(response);
    if (!response.ok || !isObject(profile))
      throw this.#client.invalid(`sent no user profile: status ${response.status}`);
    const { id } = profile;
    if (typeof id !== "number" || !Number.isSafeInteger(id))
      throw this.#client.invalid("sent a user profile without an id");
    return { issuer: this.issuer, subject: String(id), claims: profile };
  }
}

/** GitHub itself has a host for its API, a GitHub Enterprise Server has a path. */
function apiUrlOf({ origin, host }: URL): string {
  return /^(?:github|[\w-]+\.ghe)\.com$/.test(host) ? `https://api.${host}` : `${origin}/api/v3`;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    // The caller reports a response that is not a profile.
    return undefined;
  }
}
