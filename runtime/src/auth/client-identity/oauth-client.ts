import type { ClientAuth } from "oauth4webapi";

/** The identity of this application at one authorization server. */
export interface OAuthClient {
  readonly clientId: string;
  /** Authenticates requests to the token endpoint. */
  readonly authentication: ClientAuth;
  /** Where the identity comes from. A dynamic registration can be forgotten and repeated. */
  readonly source: "pre-registered" | "metadata-document" | "dynamic";
  /** The issuer that a pre-registered client belongs to, when the application names it. */
  readonly issuer?: string;
}
