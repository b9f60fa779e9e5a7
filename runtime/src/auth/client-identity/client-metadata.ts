import type { JWK } from "jose";

/**
 * Describes a client to authorization servers (RFC 7591, section 2; OpenID Connect Dynamic Client Registration 1.0, section 2).
 * The members are named as on the wire.
 */
export interface ClientMetadata {
  /** The name that users see on the consent page. */
  readonly client_name?: string;
  /** The URL of a page about the application. */
  readonly client_uri?: string;
  readonly logo_uri?: string;
  readonly redirect_uris?: readonly string[];
  readonly grant_types?: readonly string[];
  readonly response_types?: readonly string[];
  /** OpenID Connect servers accept loopback and custom-scheme redirect URIs only for `native`. */
  readonly application_type?: ApplicationType;
  readonly token_endpoint_auth_method?: string;
  readonly token_endpoint_auth_signing_alg?: string;
  /** Scopes, separated by spaces, that the client may request. Most authorization servers allow all without this member. */
  readonly scope?: string;
  readonly contacts?: readonly string[];
  readonly tos_uri?: string;
  readonly policy_uri?: string;
  readonly jwks_uri?: string;
  readonly jwks?: { readonly keys: readonly JWK[] };
  readonly software_id?: string;
  readonly software_version?: string;
  readonly software_statement?: string;
}

/** Whether a client runs on a device of its user, or on a web server. */
export type ApplicationType = "native" | "web";
