import { OAuthError, OAuthErrorCode } from "../../shared/oauth-error.js";
import type { FetchLike } from "../../shared/transport.js";
import { RegistrationRejectedError } from "./errors.js";
import type { OAuthClientProvider } from "./provider.js";
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationFull,
  OAuthClientMetadata,
} from "../../shared/oauth-types.js";

export function isLoopback({ hostname }: URL): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/** The metadata of a client with the members that follow from others (OpenID Connect Registration 1.0, section 2). */
export function resolveClientMetadata(
  provider: Pick<OAuthClientProvider, "clientMetadata" | "redirectUrl">,
): OAuthClientMetadata {
  const { clientMetadata, redirectUrl } = provider;
  const { redirect_uris, application_type, grant_types } = clientMetadata;
  const isNative = redirect_uris.some((uri) => {
    if (!URL.canParse(uri)) return false;
    const url = new URL(uri);
    return !/^https?:$/.test(url.protocol) || isLoopback(url);
  });
  return {
    ...clientMetadata,
    grant_types: grant_types ?? (redirectUrl === undefined ? undefined : ["authorization_code", "refresh_token"]),
    application_type: application_type ?? (isNative ? "native" : "web"),
  };
}

/** Whether a URL can identify a client: `https:`, with a path. */
export function isHttpsUrl(value?: string): boolean {
  if (!value || !URL.canParse(value)) return false;
  const { protocol, pathname } = new URL(value);
  return protocol === "https:" && pathname !== "/";
}

/** @throws OAuthError `invalid_client_metadata` for a URL that cannot identify a client */
export function validateClientMetadataUrl(url: string | undefined): void {
  if (url && !isHttpsUrl(url))
    throw new OAuthError(
      OAuthErrorCode.InvalidClientMetadata,
      `clientMetadataUrl must be a valid HTTPS URL with a non-root pathname, got: ${url}`,
    );
}

/** Registers a client (RFC 7591). @throws RegistrationRejectedError when the server refuses */
export async function registerClient(
  authorizationServerUrl: string | URL,
  options: {
    metadata?: AuthorizationServerMetadata | undefined;
    clientMetadata: OAuthClientMetadata;
    scope?: string | undefined;
    fetchFn?: FetchLike | undefined;
  },
): Promise<OAuthClientInformationFull> {
  const { metadata, clientMetadata, scope, fetchFn = fetch } = options;
  if (metadata && !metadata.registration_endpoint)
    throw new Error("Incompatible auth server: does not support dynamic client registration");
  const url = new URL(metadata?.registration_endpoint ?? "/register", authorizationServerUrl);
  const submittedMetadata = { ...clientMetadata, ...(scope !== undefined && { scope }) };
  const headers = { "Content-Type": "application/json" };
  const response = await fetchFn(url, { method: "POST", headers, body: JSON.stringify(submittedMetadata) });
  if (!response.ok)
    throw new RegistrationRejectedError({ status: response.status, body: await response.text(), submittedMetadata });
  const registered = (await response.json()) as OAuthClientInformationFull;
  if (typeof registered.client_id !== "string") throw new Error("Invalid registration response: client_id is missing");
  return registered;
}
