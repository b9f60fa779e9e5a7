import { OAuthError, OAuthErrorCode } from "../../shared/oauth-error.js";
import type { FetchLike } from "../../shared/transport.js";
import { validateAuthorizationResponseIssuer } from "./authorization-request.js";
import { authenticateClient, selectClientAuthMethod } from "./client-authentication.js";
import { type DpopSession, isDpopNonceChallenge } from "./dpop.js";
import { InsecureTokenEndpointError } from "./errors.js";
import type { AddClientAuthentication, OAuthClientProvider } from "./provider.js";
import { isLoopback } from "./registration.js";
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthTokens,
} from "../../shared/oauth-types.js";

/** @throws InsecureTokenEndpointError for a URL that is neither `https:` nor on this machine */
export function assertSecureTokenEndpoint(tokenEndpoint: string | URL): URL {
  const url = new URL(tokenEndpoint);
  if (url.protocol !== "https:" && !isLoopback(url)) throw new InsecureTokenEndpointError(url.href);
  return url;
}

/** The error in a response of an authorization server; `server_error` for any other body. */
export async function parseErrorResponse(input: Response | string): Promise<OAuthError> {
  const body = typeof input === "string" ? input : await input.text();
  try {
    const parsed = JSON.parse(body) as { error: string; error_description?: string; error_uri?: string };
    if (typeof parsed.error === "string") return OAuthError.fromResponse(parsed);
  } catch {
    // The body is not JSON.
  }
  const status = typeof input === "string" ? "" : `HTTP ${input.status}: `;
  return new OAuthError(OAuthErrorCode.ServerError, `${status}Invalid OAuth error response. Raw body: ${body}`);
}

export interface TokenRequest {
  readonly metadata?: AuthorizationServerMetadata | undefined;
  readonly clientInformation?: OAuthClientInformationMixed | undefined;
  readonly addClientAuthentication?: AddClientAuthentication | undefined;
  readonly resource?: string | URL | undefined;
  readonly dpop?: DpopSession | undefined;
  readonly fetchFn?: FetchLike | undefined;
}

/** @throws OAuthError when the server refuses */
export async function requestTokens(
  authorizationServerUrl: string | URL,
  params: URLSearchParams,
  request: TokenRequest,
): Promise<OAuthTokens> {
  const { metadata, clientInformation, addClientAuthentication, resource, dpop, fetchFn = fetch } = request;
  const url = assertSecureTokenEndpoint(metadata?.token_endpoint ?? new URL("/token", authorizationServerUrl));
  const headers = new Headers({ "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" });
  if (resource) params.set("resource", String(resource));
  if (addClientAuthentication) await addClientAuthentication(headers, params, url, metadata);
  else if (clientInformation) {
    const supported = metadata?.token_endpoint_auth_methods_supported ?? [];
    authenticateClient(selectClientAuthMethod(clientInformation, supported), clientInformation, headers, params);
  }
  const send = async (): Promise<Response> => {
    if (dpop) headers.set("DPoP", await dpop.buildProof({ htm: "POST", htu: url }));
    const response = await fetchFn(url, { method: "POST", headers, body: params });
    dpop?.observeNonce(response, url);
    return response;
  };
  let response = await send();
  if (dpop && isDpopNonceChallenge(response)) response = await send();
  if (!response.ok) throw await parseErrorResponse(response);
  return readTokens(await response.json());
}

/** Some servers send errors with status 200. @throws OAuthError */
async function readTokens(body: unknown): Promise<OAuthTokens> {
  const { error, access_token, token_type, expires_in } = Object(body) as Readonly<Record<string, unknown>>;
  if (typeof access_token !== "string" || typeof token_type !== "string") {
    if (error !== undefined) throw await parseErrorResponse(JSON.stringify(body));
    throw new Error("Invalid token response: access_token and token_type must be strings");
  }
  const tokens = body as OAuthTokens;
  // Many servers send the number as a string.
  return expires_in === undefined ? tokens : { ...tokens, expires_in: Number(expires_in) };
}

/** The params of a token request with an authorization code (RFC 7636, section 4.5). */
export function prepareAuthorizationCodeRequest(
  authorizationCode: string,
  codeVerifier: string,
  redirectUri: string | URL,
): URLSearchParams {
  return new URLSearchParams({
    grant_type: "authorization_code",
    code: authorizationCode,
    code_verifier: codeVerifier,
    redirect_uri: String(redirectUri),
  });
}

/** @throws IssuerMismatchError, OAuthError */
export async function exchangeAuthorization(
  authorizationServerUrl: string | URL,
  options: Omit<TokenRequest, "clientInformation"> & {
    clientInformation: OAuthClientInformationMixed;
    authorizationCode: string;
    iss?: string | undefined;
    codeVerifier: string;
    redirectUri: string | URL;
  },
): Promise<OAuthTokens> {
  const { metadata, authorizationCode, iss, codeVerifier, redirectUri } = options;
  assertIssuer(iss, metadata);
  const params = prepareAuthorizationCodeRequest(authorizationCode, codeVerifier, redirectUri);
  return requestTokens(authorizationServerUrl, params, options);
}

/** Returns new tokens, with the old refresh token unless the server has sent another. @throws OAuthError */
export async function refreshAuthorization(
  authorizationServerUrl: string | URL,
  options: Omit<TokenRequest, "clientInformation"> & {
    clientInformation: OAuthClientInformationMixed;
    refreshToken: string;
    scope?: string | undefined;
  },
): Promise<OAuthTokens> {
  const { refreshToken, scope } = options;
  const params = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken });
  if (scope) params.set("scope", scope);
  return { refresh_token: refreshToken, ...(await requestTokens(authorizationServerUrl, params, options)) };
}

/** Requests tokens with an authorization code, or with the grant of the provider. @throws OAuthError */
export async function fetchToken(
  provider: OAuthClientProvider,
  authorizationServerUrl: string | URL,
  options: {
    metadata?: AuthorizationServerMetadata | undefined;
    resource?: string | URL | undefined;
    authorizationCode?: string | undefined;
    iss?: string | undefined;
    scope?: string | undefined;
    fetchFn?: FetchLike | undefined;
  } = {},
): Promise<OAuthTokens> {
  const { metadata, resource, authorizationCode, iss, fetchFn, scope = provider.clientMetadata.scope } = options;
  if (authorizationCode !== undefined) assertIssuer(iss, metadata);
  const params = (await provider.prepareTokenRequest?.(scope)) ?? (await codeParams(provider, authorizationCode));
  const issuer = metadata?.issuer ?? String(authorizationServerUrl);
  return requestTokens(authorizationServerUrl, params, {
    metadata,
    clientInformation: await provider.clientInformation({ issuer }),
    addClientAuthentication: provider.addClientAuthentication?.bind(provider),
    resource,
    dpop: await provider.dpop?.(),
    fetchFn,
  });
}

async function codeParams(provider: OAuthClientProvider, code: string | undefined): Promise<URLSearchParams> {
  if (!code) throw new Error("Either provider.prepareTokenRequest() or authorizationCode is required");
  if (!provider.redirectUrl) throw new Error("redirectUrl is required for authorization_code flow");
  return prepareAuthorizationCodeRequest(code, await provider.codeVerifier(), provider.redirectUrl);
}

function assertIssuer(iss: string | undefined, metadata: AuthorizationServerMetadata | undefined): void {
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
}
