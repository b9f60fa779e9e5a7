export type TokenScheme = "Bearer" | "DPoP";

/** An access token as a request carries it. */
export interface TokenCredentials {
  readonly kind: "token";
  readonly scheme: TokenScheme;
  readonly token: string;
  /** The whole header. */
  readonly header: string;
  /** Whether `KnownCredentials` has it. */
  isKnown: boolean;
}
