/** Metadata of an authorization server (RFC 8414). */
export interface OAuthMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint?: string | undefined;
  scopes_supported?: string[] | undefined;
  response_types_supported: string[];
  response_modes_supported?: string[] | undefined;
  grant_types_supported?: string[] | undefined;
  token_endpoint_auth_methods_supported?: string[] | undefined;
  token_endpoint_auth_signing_alg_values_supported?: string[] | undefined;
  service_documentation?: string | undefined;
  revocation_endpoint?: string | undefined;
  revocation_endpoint_auth_methods_supported?: string[] | undefined;
  revocation_endpoint_auth_signing_alg_values_supported?: string[] | undefined;
  introspection_endpoint?: string | undefined;
  introspection_endpoint_auth_methods_supported?: string[] | undefined;
  introspection_endpoint_auth_signing_alg_values_supported?: string[] | undefined;
  code_challenge_methods_supported?: string[] | undefined;
  client_id_metadata_document_supported?: boolean | undefined;
  authorization_response_iss_parameter_supported?: boolean | undefined;
  dpop_signing_alg_values_supported?: string[] | undefined;
  [member: string]: unknown;
}

/** Metadata of a server that accepts access tokens (RFC 9728). */
export interface OAuthProtectedResourceMetadata {
  resource: string;
  authorization_servers?: string[] | undefined;
  jwks_uri?: string | undefined;
  scopes_supported?: string[] | undefined;
  bearer_methods_supported?: string[] | undefined;
  resource_signing_alg_values_supported?: string[] | undefined;
  resource_name?: string | undefined;
  resource_documentation?: string | undefined;
  resource_policy_uri?: string | undefined;
  resource_tos_uri?: string | undefined;
  tls_client_certificate_bound_access_tokens?: boolean | undefined;
  authorization_details_types_supported?: string[] | undefined;
  dpop_signing_alg_values_supported?: string[] | undefined;
  dpop_bound_access_tokens_required?: boolean | undefined;
  [member: string]: unknown;
}

/** An error response of an authorization server. */
export interface OAuthErrorResponse {
  error: string;
  error_description?: string | undefined;
  error_uri?: string | undefined;
}
