import { clientAuthMethods, paths } from "./endpoints.js";
import type { ProxySettings } from "./proxy-settings.js";

/** The metadata of the proxy as an authorization server (RFC 8414). It contains what OpenID Connect Discovery demands, too. */
export function serverMetadata(settings: ProxySettings): Readonly<Record<string, unknown>> {
  const { issuer, scopes, registration, metadataDocuments } = settings;
  const urlOf = (path: string): string => `${issuer}${path}`;
  return {
    issuer,
    authorization_endpoint: urlOf(paths.authorization),
    token_endpoint: urlOf(paths.token),
    ...(registration && { registration_endpoint: urlOf(paths.registration) }),
    revocation_endpoint: urlOf(paths.revocation),
    jwks_uri: urlOf(paths.jwks),
    scopes_supported: scopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: clientAuthMethods,
    revocation_endpoint_auth_methods_supported: clientAuthMethods,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: metadataDocuments !== undefined,
    dpop_signing_alg_values_supported: ["ES256", "Ed25519", "EdDSA"],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
  };
}

/** The paths at which clients look for the metadata, of all revisions and of OpenID Connect. */
export function metadataPaths(basePath: string): readonly string[] {
  const names = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];
  return [...new Set(names.flatMap((name) => [`${name}${basePath}`, `${basePath}${name}`]))];
}
