import {
  allowInsecureRequests,
  customFetch,
  genericTokenEndpointRequest,
  isDPoPNonceError,
  processGenericTokenEndpointResponse,
} from "oauth4webapi";
import type { AuthorizationServer, ClientAuth, CustomFetchOptions, TokenEndpointResponse } from "oauth4webapi";
import { AuthorizationError } from "../auth-errors.js";
import type { OAuthOptions } from "../oauth-options.js";
import type { DpopKey } from "./dpop.js";
import { endpointUrl } from "./endpoint-url.js";
import { limitedRequest } from "./limited-request.js";
import { secretsOfRequest } from "./secrets-of-request.js";
import { toAuthorizationError } from "./token-errors.js";
import { normalizeTokenResponse } from "./normalize-token-response.js";

/** One request to a token endpoint. */
export interface TokenRequest {
  readonly metadata: AuthorizationServer;
  readonly clientId: string;
  readonly authentication: ClientAuth;
  readonly grantType: string;
  /** Those of the grant, with `resource`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The key that the token is to be bound to. */
  readonly dpop?: DpopKey | undefined;
  /** Accepted values of `token_type` besides `Bearer` and `DPoP`, in lower case. */
  readonly tokenTypes?: readonly Lowercase<string>[];
  readonly options: OAuthOptions;
  readonly signal: AbortSignal;
}

type FormRequest = CustomFetchOptions<"POST", URLSearchParams>;

/**
 * Sends a token request; once more when the server demands another DPoP nonce (RFC 9449, section 8).
 * @throws AuthorizationError `insecure-url`, `metadata-invalid`, `token-refused`, `token-invalid`, `unreachable`
 */
export async function sendTokenRequest(request: TokenRequest): Promise<TokenEndpointResponse> {
  const url = endpointUrl(request.metadata, "token_endpoint");
  if (!url)
    throw new AuthorizationError(
      "metadata-invalid",
      `${request.metadata.issuer} has no token_endpoint in its metadata`,
      {
        issuer: request.metadata.issuer,
      },
    );
  return sendTo(url, request, true);
}

async function sendTo(url: URL, request: TokenRequest, mayRepeat: boolean): Promise<TokenEndpointResponse> {
  const { metadata, clientId, dpop, options, signal } = request;
  const client = { client_id: clientId };
  const seen: { secrets: readonly string[]; hasNonce: boolean } = { secrets: [], hasNonce: false };
  const send = async (_url: string, { body, headers, method }: FormRequest): Promise<Response> => {
    const secrets = secretsOfRequest(body, headers);
    seen.secrets = secrets;
    const { response, text } = await limitedRequest(url, { body, headers, method }, options, secrets, signal);
    seen.hasNonce = dpop?.learnNonce(response, url) ?? false;
    return normalizeTokenResponse(response, text, metadata.issuer, secrets);
  };
  try {
    const response = await genericTokenEndpointRequest(
      metadata,
      client,
      request.authentication,
      request.grantType,
      request.parameters,
      {
        ...(dpop && { headers: { dpop: await dpop.proof("POST", url) } }),
        [customFetch]: send,
        // `endpointUrl` has allowed it for loopback only.
        [allowInsecureRequests]: url.protocol === "http:",
      },
    );
    const recognizedTokenTypes = Object.fromEntries((request.tokenTypes ?? []).map((type) => [type, accept]));
    return await processGenericTokenEndpointResponse(metadata, client, response, { recognizedTokenTypes });
  } catch (error) {
    if (mayRepeat && seen.hasNonce && isDPoPNonceError(error)) return sendTo(url, request, false);
    throw toAuthorizationError(error, `The token endpoint of ${metadata.issuer}`, metadata.issuer, seen.secrets);
  }
}

function accept(): void {
  // The caller checks what it got.
}
