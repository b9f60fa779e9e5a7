import { decodeJwt } from "jose";
import {
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  getValidatedIdTokenClaims,
  processAuthorizationCodeResponse,
  processGenericTokenEndpointResponse,
  validateApplicationLevelSignature,
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
import { DiscoveredIssuer } from "./discovered-issuer.js";
import { OidcProvider } from "./oidc.js";
import { ProviderClient } from "./provider-client.js";
import type { ProviderOptions } from "./provider-options.js";
import { refreshTokens, tolerantTokens } from "./token-requests.js";

export interface EntraOptions extends ProviderOptions {
  /**
   * The directory (tenant) id, a GUID: only its accounts are accepted, which include its guests. `"organizations"` accepts the accounts of all directories,
   * `"common"` personal Microsoft accounts, too, and `"consumers"` only these.
   */
  readonly tenant: string;
  /** With `"organizations"` and `"common"`: the ids of the directories whose accounts are accepted. Default: all. */
  readonly allowedTenants?: readonly string[];
  /** Default: `["openid", "profile", "offline_access"]`. */
  readonly scopes?: readonly string[];
  /** The origin of a national cloud. Default: `https://login.microsoftonline.com`. */
  readonly authority?: string;
}

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** The directory of personal Microsoft accounts. */
const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";
const maxTenants = 200;

/**
 * Microsoft Entra ID, with the endpoints of version 2.0. One directory by default. With several, the issuer of an ID token is that of
 * the user's directory: the token is verified with the metadata and the keys of that directory alone.
 *
 * With several directories, everybody with an account of Microsoft may log in, unless you pass `allowedTenants` or `acceptUser`.
 * @throws SdkError `INVALID_CONFIGURATION`
 * @example
 * ```ts
 * const upstream = entra({
 *   tenant: "2d6cb6a7-4e0b-4d60-9f2b-8c3a1f5f0c11",
 *   clientId: "0b1c6f2e-6a58-4f0f-9a2a-7d7f3f1f7b10",
 *   clientSecret: process.env["ENTRA_SECRET"] ?? "",
 *   scopes: ["openid", "profile", "offline_access", "User.Read"],
 * });
 * ```
 */
export function entra(options: EntraOptions): UpstreamProvider {
  const {
    tenant,
    allowedTenants,
    scopes,
    authority = "https://login.microsoftonline.com",
  } = Object(options) as EntraOptions;
  const origin: unknown = authority;
  if (typeof origin !== "string" || !origin.startsWith("https://") || parseUrl(origin)?.origin !== origin)
    throw new SdkError(
      "INVALID_CONFIGURATION",
      "entra: authority must be an https origin without a slash at its end, such as https://login.microsoftonline.us",
    );
  const common = { ...options, name: "Microsoft", scopes: scopes ?? ["openid", "profile", "offline_access"] };
  const given: unknown = tenant;
  const lower = typeof given === "string" ? given.toLowerCase() : "";
  if (lower === "organizations" || lower === "common")
    return new EntraDirectories(lower, authority, allowedTenants, common);
  const single = lower === "consumers" ? personalTenant : lower;
  if (!guid.test(single))
    throw new SdkError(
      "INVALID_CONFIGURATION",
      'entra: tenant must be the id of a directory (a GUID, not a domain), "organizations", "common" or "consumers"',
    );
  if (allowedTenants)
    throw new SdkError("INVALID_CONFIGURATION", 'entra: allowedTenants needs the tenant "organizations" or "common"');
  return new OidcProvider({ ...common, issuer: issuerOf(authority, single) });
}

/** The accounts of many directories. */
class EntraDirectories implements UpstreamProvider {
  readonly issuer: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly #audience: "organizations" | "common";
  readonly #authority: string;
  readonly #allowed: ReadonlySet<string> | undefined;
  readonly #client: ProviderClient;
  /** The directories of the users who have logged in last. */
  readonly #tenants = new Map<string, DiscoveredIssuer>();

  constructor(
    audience: "organizations" | "common",
    authority: string,
    allowed: readonly string[] | undefined,
    options: ProviderOptions & { readonly name: string; readonly scopes: readonly string[] },
  ) {
    const tenants = allowed?.map((tenant) => tenant.toLowerCase());
    if (tenants?.some((tenant) => !guid.test(tenant)))
      throw new SdkError("INVALID_CONFIGURATION", "entra: allowedTenants must be ids of directories (GUIDs)");
    this.#audience = audience;
    this.#authority = authority;
    this.#allowed = tenants && new Set(tenants);
    this.issuer = issuerOf(authority, audience);
    this.name = options.name;
    this.scopes = [...new Set(["openid", ...options.scopes])];
    this.#client = new ProviderClient(this.name, this.scopes, options);
  }

  async authorizationUrl(request: UpstreamRequest): Promise<URL> {
    const url = await this.#client.authorizationUrl(this.#endpoints().authorization_endpoint, request);
    url.searchParams.set("nonce", request.nonce);
    return url;
  }

  async finish(response: UpstreamResponse, context: UpstreamContext): Promise<UpstreamLogin> {
    const { parameters, redirectUri, codeVerifier, state, nonce } = response;
    const { client, authentication } = this.#client;
    const server = this.#endpoints();
    const secrets = [codeVerifier, state, parameters.get("code") ?? ""];
    const { tokens, tenant } = await this.#client.run(async () => {
      const named = parameters.get("iss");
      // The issuer of the response is that of the directory, which only the ID token names reliably.
      const own = named === null ? server : { ...server, issuer: named };
      const valid = validateAuthResponse(own, client, parameters, state);
      const auth = await authentication.choose(server);
      const library = tolerantTokens(this.#client.library(context, false));
      const sent = await authorizationCodeGrantRequest(server, client, auth, valid, redirectUri, codeVerifier, library);
      if (!sent.ok) await processGenericTokenEndpointResponse(server, client, sent);
      const tenant = await this.#tenantOf(sent);
      if (named !== null && named !== issuerOf(this.#authority, tenant))
        throw this.#client.invalid("sent an ID token of another issuer than its authorization response");
      const discovered = this.#discovered(tenant);
      const metadata = await discovered.metadata(context);
      const tokens = await processAuthorizationCodeResponse(metadata, client, sent, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      await validateApplicationLevelSignature(metadata, sent, discovered.library(context));
      return { tokens, tenant };
    }, secrets);
    const claims = getValidatedIdTokenClaims(tokens);
    if (!claims) throw this.#client.invalid("sent no ID token");
    const user: UpstreamUser = { issuer: issuerOf(this.#authority, tenant), subject: claims.sub, claims };
    await this.#client.assertAccepted(user);
    return { user, tokens: this.#client.readTokens(tokens) };
  }

  refresh(refreshToken: string, context: UpstreamContext): Promise<UpstreamTokenSet> {
    return refreshTokens(this.#client, this.#endpoints(), refreshToken, this.#client.library(context, false));
  }

  /** Reads the directory of the user from the ID token that the provider has sent itself. Its claims are verified afterwards. */
  async #tenantOf(sent: Response): Promise<string> {
    let body: unknown;
    try {
      body = await sent.clone().json();
    } catch {
      throw this.#client.invalid("sent a token response that is not JSON");
    }
    const token = isObject(body) ? body["id_token"] : undefined;
    let tenant: unknown;
    try {
      ({ tid: tenant } = decodeJwt(String(token)));
    } catch {
      throw this.#client.invalid("sent no ID token");
    }
    if (typeof tenant !== "string" || !guid.test(tenant))
      throw this.#client.invalid("sent an ID token without a directory id (tid)");
    const isPersonal = tenant === personalTenant && this.#audience === "organizations";
    if (isPersonal || this.#allowed?.has(tenant) === false)
      throw new UpstreamError("denied", "this Microsoft account does not belong to an organization of the service");
    return tenant;
  }

  #discovered(tenant: string): DiscoveredIssuer {
    const found = this.#tenants.get(tenant) ?? new DiscoveredIssuer(this.#client, issuerOf(this.#authority, tenant));
    this.#tenants.delete(tenant);
    this.#tenants.set(tenant, found);
    for (const oldest of this.#tenants.keys()) {
      if (this.#tenants.size <= maxTenants) break;
      this.#tenants.delete(oldest);
    }
    return found;
  }

  #endpoints(): AuthorizationServer {
    const base = `${this.#authority}/${this.#audience}/oauth2/v2.0`;
    return {
      issuer: this.issuer,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt"],
    };
  }
}

function issuerOf(authority: string, tenant: string): string {
  return `${authority}/${tenant}/v2.0`;
}
