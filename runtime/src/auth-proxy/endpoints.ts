/** The paths below that of the issuer; the first three are the ones that clients of 2025-03-26 use without metadata. */
export const paths = {
  authorization: "/authorize",
  token: "/token",
  registration: "/register",
  revocation: "/revoke",
  jwks: "/jwks",
  consent: "/consent",
  callback: "/callback",
} as const;

/** How clients may authenticate at the token endpoint. */
export const clientAuthMethods = ["none", "client_secret_basic", "client_secret_post"] as const;
