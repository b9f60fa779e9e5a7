import type { FetchLike } from "../../shared/transport.js";
import { authenticateClient, type ClientAuthMethod } from "./client-authentication.js";
import { discoverAuthorizationServerMetadata } from "./discovery.js";
import { StoredClientProvider } from "./stored-client.js";
import { assertSecureTokenEndpoint, parseErrorResponse } from "./token-requests.js";
import type { IdJagTokenExchangeResponse } from "../../shared/oauth-types.js";

const idJag = "urn:ietf:params:oauth:token-type:id-jag";
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

export interface CrossAppAccessContext {
  authorizationServerUrl: string;
  resourceUrl: string;
  scope?: string;
  fetchFn: FetchLike;
}

/** Returns an assertion of the identity provider about the user. */
export type AssertionCallback = (context: CrossAppAccessContext) => string | Promise<string>;

export interface CrossAppAccessProviderOptions {
  assertion: AssertionCallback;
  clientId: string;
  clientSecret: string;
  clientName?: string;
  fetchFn?: FetchLike;
  /** The only authorization server that gets the credentials. */
  expectedIssuer?: string;
}

/** Logs in with an assertion of the user's identity provider (enterprise-managed authorization, SEP-990). */
export class CrossAppAccessProvider extends StoredClientProvider {
  readonly #options: CrossAppAccessProviderOptions;
  #authorizationServerUrl: string | undefined;
  #resourceUrl: string | undefined;

  constructor(options: CrossAppAccessProviderOptions) {
    const { clientId: client_id, clientSecret: client_secret, clientName, expectedIssuer } = options;
    const metadata = {
      client_name: clientName ?? "cross-app-access-client",
      grant_types: [jwtBearer],
      token_endpoint_auth_method: "client_secret_basic",
    };
    super({ client_id, client_secret }, metadata, expectedIssuer);
    this.#options = options;
  }

  saveAuthorizationServerUrl(authorizationServerUrl: string): void {
    this.#authorizationServerUrl = authorizationServerUrl;
  }

  authorizationServerUrl(): string | undefined {
    return this.#authorizationServerUrl;
  }

  saveResourceUrl(resourceUrl: string): void {
    this.#resourceUrl = resourceUrl;
  }

  resourceUrl(): string | undefined {
    return this.#resourceUrl;
  }

  override async prepareTokenRequest(scope?: string): Promise<URLSearchParams> {
    const [authorizationServerUrl, resourceUrl] = [this.#authorizationServerUrl, this.#resourceUrl];
    if (!authorizationServerUrl || !resourceUrl)
      throw new Error("The authorization server and the resource must be known before the assertion is requested");
    const { assertion: requestAssertion, fetchFn = fetch } = this.#options;
    const context = { authorizationServerUrl, resourceUrl, fetchFn, ...(scope && { scope }) };
    const assertion = await requestAssertion(context);
    return new URLSearchParams({ grant_type: jwtBearer, assertion, ...(scope && { scope }) });
  }
}

export interface RequestJwtAuthGrantOptions {
  tokenEndpoint: string | URL;
  /** The authorization server of the resource. */
  audience: string | URL;
  resource: string | URL;
  idToken: string;
  clientId: string;
  clientSecret?: string;
  scope?: string;
  fetchFn?: FetchLike;
}

export interface DiscoverAndRequestJwtAuthGrantOptions extends Omit<RequestJwtAuthGrantOptions, "tokenEndpoint"> {
  idpUrl: string | URL;
}

export interface JwtAuthGrantResult {
  jwtAuthGrant: string;
  /** Seconds. */
  expiresIn?: number;
  scope?: string;
}

/** Exchanges an ID token for an assertion at the identity provider (RFC 8693). @throws OAuthError */
export async function requestJwtAuthorizationGrant(options: RequestJwtAuthGrantOptions): Promise<JwtAuthGrantResult> {
  const { tokenEndpoint, audience, resource, idToken, clientId, clientSecret, scope, fetchFn = fetch } = options;
  const params = new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    requested_token_type: idJag,
    subject_token: idToken,
    subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    audience: String(audience),
    resource: String(resource),
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    ...(scope && { scope }),
  });
  const issued = (await post(tokenEndpoint, params, new Headers(), fetchFn)) as unknown as IdJagTokenExchangeResponse;
  if ((issued.issued_token_type as string) !== idJag || typeof issued.access_token !== "string")
    throw new Error(
      `Invalid token exchange response: expected ${idJag}, got ${JSON.stringify(issued.issued_token_type)}`,
    );
  const { access_token: jwtAuthGrant, expires_in: expiresIn, scope: granted } = issued;
  return {
    jwtAuthGrant,
    ...(expiresIn !== undefined && { expiresIn }),
    ...(granted !== undefined && { scope: granted }),
  };
}

/** Does the same after finding the token endpoint of the identity provider. @throws OAuthError */
export async function discoverAndRequestJwtAuthGrant(
  options: DiscoverAndRequestJwtAuthGrantOptions,
): Promise<JwtAuthGrantResult> {
  const { idpUrl, ...rest } = options;
  const metadata = await discoverAuthorizationServerMetadata(idpUrl, { fetchFn: options.fetchFn });
  if (!metadata?.token_endpoint) throw new Error(`Cannot find the token endpoint of ${String(idpUrl)}`);
  return requestJwtAuthorizationGrant({ ...rest, tokenEndpoint: metadata.token_endpoint });
}

/** Exchanges the assertion for a token of the resource (RFC 7523, section 2.1). @throws OAuthError */
export async function exchangeJwtAuthGrant(options: {
  tokenEndpoint: string | URL;
  jwtAuthGrant: string;
  clientId: string;
  clientSecret?: string;
  /** Default: `client_secret_basic` with a secret. */
  authMethod?: ClientAuthMethod;
  fetchFn?: FetchLike;
}): Promise<{ access_token: string; token_type: string; expires_in?: number; scope?: string }> {
  const { tokenEndpoint, jwtAuthGrant, clientId, clientSecret, fetchFn = fetch } = options;
  const { authMethod = clientSecret === undefined ? "none" : "client_secret_basic" } = options;
  const params = new URLSearchParams({ grant_type: jwtBearer, assertion: jwtAuthGrant });
  const headers = new Headers();
  authenticateClient(authMethod, { client_id: clientId, client_secret: clientSecret }, headers, params);
  const tokens = await post(tokenEndpoint, params, headers, fetchFn);
  if (typeof tokens["access_token"] !== "string" || typeof tokens["token_type"] !== "string")
    throw new Error("Invalid token response: access_token and token_type must be strings");
  return tokens as { access_token: string; token_type: string };
}

async function post(
  tokenEndpoint: string | URL,
  params: URLSearchParams,
  headers: Headers,
  fetchFn: FetchLike,
): Promise<Record<string, unknown>> {
  const url = assertSecureTokenEndpoint(tokenEndpoint);
  headers.set("Content-Type", "application/x-www-form-urlencoded");
  headers.set("Accept", "application/json");
  const response = await fetchFn(url, { method: "POST", headers, body: params });
  if (!response.ok) throw await parseErrorResponse(response);
  return (await response.json()) as Record<string, unknown>;
}
