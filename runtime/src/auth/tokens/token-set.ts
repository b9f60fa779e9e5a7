import type { JWK } from "jose";

/** Tokens of one authorization server for one MCP server. Stored as JSON. */
export interface TokenSet {
  readonly accessToken: string;
  /** The scheme of the `Authorization` header. */
  readonly scheme: "Bearer" | "DPoP";
  /** Milliseconds since 1970; undefined when the authorization server did not say. */
  readonly expiresAt?: number;
  readonly refreshToken?: string;
  /** The granted scopes; the requested ones when the authorization server did not say. */
  readonly scopes: readonly string[];
  readonly issuer: string;
  /** The client that the tokens were issued to. */
  readonly clientId: string;
  /** The private key of a DPoP-bound token, as a JWK. */
  readonly dpopKey?: JWK;
}
