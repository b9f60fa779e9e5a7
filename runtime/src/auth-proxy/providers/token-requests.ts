import {
  type AuthorizationServer,
  customFetch,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
} from "oauth4webapi";
import { parseJsonObject } from "../../jsonrpc/parse-json-object.js";
import { UpstreamError } from "../upstream-error.js";
import type { UpstreamTokenSet } from "../upstream-provider.js";
import type { LibraryOptions, ProviderClient } from "./provider-client.js";

/** The codes with which providers reject a refresh token: only a log-in of the user helps. */
const endedLogins = [
  "invalid_grant",
  "bad_refresh_token",
  "interaction_required",
  "consent_required",
  "login_required",
];

/**
 * Prepares token responses for oauth4webapi, which is stricter than providers are: gives OAuth errors a status of 4xx, and removes
 * members that are null or empty, except an empty `scope`: the user has granted none.
 * @param drops members to remove, too
 */
export function tolerantTokens(library: LibraryOptions, drops: readonly string[] = []): LibraryOptions {
  return {
    ...library,
    [customFetch]: async (url, init) => {
      const response = await library[customFetch](url, init);
      const text = await response.text();
      const body = parseJsonObject(text);
      if (!body) return new Response(text, response);
      const isError = typeof body["error"] === "string" && body["access_token"] === undefined;
      const isKept = ([name, value]: [string, unknown]): boolean =>
        value !== null && (value !== "" || name === "scope") && !drops.includes(name);
      return Response.json(Object.fromEntries(Object.entries(body).filter(isKept)), {
        status: isError && response.ok ? 400 : response.status,
      });
    },
  };
}

/** Gets new tokens with a refresh token. @throws UpstreamError `login-required` when the provider no longer accepts it */
export async function refreshTokens(
  client: ProviderClient,
  metadata: AuthorizationServer,
  refreshToken: string,
  library: LibraryOptions,
): Promise<UpstreamTokenSet> {
  // An ID token would prove again who the user is, which the first one has.
  const options = tolerantTokens(library, ["id_token"]);
  let found: TokenEndpointResponse;
  try {
    found = await client.run(async () => {
      const auth = await client.authentication.choose(metadata);
      const sent = await refreshTokenGrantRequest(metadata, client.client, auth, refreshToken, options);
      return processRefreshTokenResponse(metadata, client.client, sent);
    }, [refreshToken]);
  } catch (error) {
    const code = error instanceof UpstreamError ? error.data.error : undefined;
    if (code === undefined || !endedLogins.includes(code)) throw error;
    throw new UpstreamError("login-required", `${client.name} no longer accepts the log-in of this user`, {
      error: code,
    });
  }
  return client.readTokens(found);
}
