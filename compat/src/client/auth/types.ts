import type { OAuthMetadata, OAuthProtectedResourceMetadata } from "../../shared/oauth-types.js";

export type { OAuthMetadata, OAuthProtectedResourceMetadata };

export type OpenIdProviderMetadata = OAuthMetadata & {
  jwks_uri: string;
  subject_types_supported: string[];
  id_token_signing_alg_values_supported: string[];
};
export type OpenIdProviderDiscoveryMetadata = OpenIdProviderMetadata;
export type AuthorizationServerMetadata = OAuthMetadata | OpenIdProviderDiscoveryMetadata;

export interface OAuthTokens {
  access_token: string;
  id_token?: string | undefined;
  token_type: string;
  /** Seconds. */
  expires_in?: number | undefined;
  scope?: string | undefined;
  refresh_token?: string | undefined;
}

/** What a client says about itself when it registers (RFC 7591). */
export interface OAuthClientMetadata {
  redirect_uris: string[];
  application_type?: string | undefined;
  token_endpoint_auth_method?: string | undefined;
  grant_types?: string[] | undefined;
  response_types?: string[] | undefined;
  client_name?: string | undefined;
  client_uri?: string | undefined;
  logo_uri?: string | undefined;
  scope?: string | undefined;
  contacts?: string[] | undefined;
  tos_uri?: string | undefined;
  policy_uri?: string | undefined;
  jwks_uri?: string | undefined;
  jwks?: unknown;
  software_id?: string | undefined;
  software_version?: string | undefined;
  software_statement?: string | undefined;
  dpop_bound_access_tokens?: boolean | undefined;
}

export interface OAuthClientInformation {
  client_id: string;
  client_secret?: string | undefined;
  client_id_issued_at?: number | undefined;
  client_secret_expires_at?: number | undefined;
}

export type OAuthClientInformationFull = OAuthClientMetadata & OAuthClientInformation;
export type OAuthClientInformationMixed = OAuthClientInformation | OAuthClientInformationFull;

/** With the authorization server that issued it, without which it must not be used. */
export type StoredOAuthTokens = OAuthTokens & { issuer?: string | undefined };
export type StoredOAuthClientInformation = OAuthClientInformationMixed & { issuer?: string | undefined };

/** An error response to a registration. */
export interface OAuthClientRegistrationError {
  error: string;
  error_description?: string | undefined;
}

export interface OAuthTokenRevocationRequest {
  token: string;
  token_type_hint?: string | undefined;
}

/** The response to a token exchange for an identity assertion. */
export interface IdJagTokenExchangeResponse {
  issued_token_type: "urn:ietf:params:oauth:token-type:id-jag";
  access_token: string;
  token_type?: string | undefined;
  expires_in?: number | undefined;
  scope?: string | undefined;
}
