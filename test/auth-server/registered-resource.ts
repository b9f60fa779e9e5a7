/** A server that accepts tokens of an authorization server (RFC 8707). */
export interface RegisteredResource {
  readonly scopes: readonly string[];
  /** JWTs can be neither revoked nor introspected; opaque tokens can. */
  readonly tokens: "jwt" | "opaque";
}
