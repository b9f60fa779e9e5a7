import { OAuthError } from "../../shared/oauth-error.js";
import { validateAuthorizationResponseIssuer } from "./authorization-request.js";
import { discoverOAuthServerInfo } from "./discovery.js";
import { UnauthorizedError } from "./errors.js";
import type { OAuthClientProvider } from "./provider.js";
import type { FetchLike } from "../../shared/transport.js";

/**
 * Reads the response to an authorization request.
 * @throws IssuerMismatchError when an error comes from another server, OAuthError with the error, UnauthorizedError without one
 */
export async function readCallback(
  params: URLSearchParams,
  provider: OAuthClientProvider,
  serverUrl: URL,
  fetchFn: FetchLike,
): Promise<{ readonly authorizationCode: string; readonly iss: string | undefined }> {
  const iss = params.get("iss") ?? undefined;
  const code = params.get("code");
  if (code) return { authorizationCode: code, iss };
  // The text of an error is shown to users: it must be that of the right server.
  const known = (await provider.discoveryState?.())?.authorizationServerMetadata;
  const metadata =
    known ??
    (await discoverOAuthServerInfo(serverUrl, { fetchFn }).catch(() => undefined))?.authorizationServerMetadata;
  if (!metadata) throw new UnauthorizedError("Authorization callback failed and the issuer could not be verified");
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata.issuer,
    issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
  });
  const error = params.get("error");
  if (!error) throw new UnauthorizedError("Authorization callback contained neither `code` nor `error`");
  throw new OAuthError(error, params.get("error_description") ?? error, params.get("error_uri") ?? undefined);
}
