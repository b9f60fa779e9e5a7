import type {
  OAuthClientInformation,
  OAuthClientInformationFull,
  OAuthMetadata,
  OpenIdProviderDiscoveryMetadata,
} from "../../types/sdk-oauth.js";

export * from "../../types/sdk-oauth-schemas.js";
export type * from "../../types/sdk-oauth.js";

/** The metadata of OAuth (RFC 8414), or of OpenID Connect Discovery. */
export type AuthorizationServerMetadata = OAuthMetadata | OpenIdProviderDiscoveryMetadata;

/** A registered client, with or without what it has registered. */
export type OAuthClientInformationMixed = OAuthClientInformation | OAuthClientInformationFull;
