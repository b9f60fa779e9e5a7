// The documents of OAuth and OpenID Connect, under the names of the official SDK.
import type {
  OAuthClientInformation,
  OAuthClientInformationFull,
  OAuthMetadata,
  OAuthTokens,
  OpenIdProviderDiscoveryMetadata,
} from "../types/core-oauth.js";

export type * from "../types/core-oauth.js";

/** What an authorization server calls a client, with or without what the client registered. */
export type OAuthClientInformationMixed = OAuthClientInformation | OAuthClientInformationFull;
/** Tokens, with the issuer that they come from. */
export type StoredOAuthTokens = OAuthTokens & { issuer?: string | undefined };
/** The registration of a client, with the issuer that it belongs to. */
export type StoredOAuthClientInformation = OAuthClientInformationMixed & { issuer?: string | undefined };
export type AuthorizationServerMetadata = OAuthMetadata | OpenIdProviderDiscoveryMetadata;
