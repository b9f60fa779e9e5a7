import { base64url } from "./dpop.js";
import { IssuerMismatchError } from "./errors.js";
import type { AuthorizationServerMetadata, OAuthClientInformationMixed } from "../../shared/oauth-types.js";

/**
 * Checks the `iss` of a response to an authorization request (RFC 9207).
 * @throws IssuerMismatchError when it is another one, or missing although the server sends it
 */
export function validateAuthorizationResponseIssuer({
  iss,
  expectedIssuer,
  issParameterSupported,
}: {
  iss: string | undefined;
  expectedIssuer: string | undefined;
  issParameterSupported: boolean;
}): void {
  const isFine = iss === undefined ? !issParameterSupported : expectedIssuer === undefined || iss === expectedIssuer;
  if (!isFine) throw new IssuerMismatchError("authorization_response", expectedIssuer, iss);
}

/** All scopes of several lists; undefined if there are none. */
export function computeScopeUnion(...scopes: readonly (string | undefined)[]): string | undefined {
  const all = new Set(scopes.flatMap(scopesOf));
  return all.size === 0 ? undefined : [...all].join(" ");
}

/** Whether `union` has a scope that `current` lacks. */
export function isStrictScopeSuperset(union: string | undefined, current: string | undefined): boolean {
  const granted = scopesOf(current);
  return scopesOf(union).some((scope) => !granted.includes(scope));
}

function scopesOf(scopes: string | undefined): string[] {
  return scopes?.split(/\s+/).filter(Boolean) ?? [];
}

/** Prepares a log-in of the user (RFC 6749, section 4.1.1, with PKCE). @throws Error when the server cannot do it */
export async function startAuthorization(
  authorizationServerUrl: string | URL,
  options: {
    metadata?: AuthorizationServerMetadata | undefined;
    clientInformation: OAuthClientInformationMixed;
    redirectUrl: string | URL;
    scope?: string | undefined;
    state?: string | undefined;
    resource?: string | URL | undefined;
  },
): Promise<{ authorizationUrl: URL; codeVerifier: string }> {
  const { metadata, clientInformation, redirectUrl, scope, state, resource } = options;
  if (metadata && !metadata.response_types_supported.includes("code"))
    throw new Error("Incompatible auth server: does not support response type code");
  if (metadata?.code_challenge_methods_supported?.includes("S256") === false)
    throw new Error("Incompatible auth server: does not support code challenge method S256");
  const authorizationUrl = new URL(metadata?.authorization_endpoint ?? "/authorize", authorizationServerUrl);
  const codeVerifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const challenge = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  const params = {
    response_type: "code",
    client_id: clientInformation.client_id,
    code_challenge: base64url(challenge),
    code_challenge_method: "S256",
    redirect_uri: String(redirectUrl),
    state,
    scope,
    // Without it, servers do not have to grant access while the user is away (OpenID Connect Core 1.0, section 11).
    prompt: scopesOf(scope).includes("offline_access") ? "consent" : undefined,
    resource: resource && String(resource),
  };
  for (const [name, value] of Object.entries(params)) if (value) authorizationUrl.searchParams.set(name, value);
  return { authorizationUrl, codeVerifier };
}
