import type { JWK } from "jose";
import type { DpopChecks } from "./dpop-checks.js";

export type FakeAuthMethod = "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";

/** A client that the fake server knows. */
export interface FakeClient {
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly method: FakeAuthMethod;
  readonly redirectUris?: readonly string[];
  /** The public key of `private_key_jwt`. */
  readonly publicJwk?: JWK;
  /** The metadata of a dynamic registration. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What a code, an access token or a refresh token stands for. */
export interface FakeTokenFacts {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly resource: string | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The thumbprint of the DPoP key. */
  readonly thumbprint: string | undefined;
  /** Tokens of the same log-in have the same number. */
  readonly login: number;
}

export interface FakeCode extends FakeTokenFacts {
  readonly redirectUri: string;
  readonly challenge: string;
  used: boolean;
}

/** How the fake server behaves. All may be changed at any time. */
export interface FakeServerSettings {
  /** Where the metadata is: see `AuthorizationRules.serverMetadata`; `none` for a server without metadata. */
  metadataAt: "oauth" | "openidInserted" | "openidAppended" | "origin" | "none";
  /** Members of the metadata to replace; undefined removes one. */
  metadata: Readonly<Record<string, unknown>>;
  registration: boolean;
  /** Whether `https:` client ids are accepted and fetched. */
  clientIdMetadata: boolean;
  authMethods: readonly FakeAuthMethod[];
  /** Whether tokens are bound to a key: never, when the request has a proof, or always. */
  dpop: "no" | "offered" | "required";
  /** The lifetime in seconds; undefined leaves `expires_in` out, and the tokens do not expire. */
  expiresIn: number | undefined;
  refreshTokens: boolean;
  /** Whether each refresh issues a new refresh token and invalidates the old one. */
  rotation: boolean;
  scopesSupported: readonly string[] | undefined;
  /** Whether token responses have `scope`. */
  statesScope: boolean;
  /** Whether authorization responses have `iss`. */
  issParameter: boolean;
  /** Returns the granted scopes of the requested ones. Default: all. */
  grantScopes: (requested: readonly string[]) => readonly string[];
  /** The accepted values of `resource`. Default: all, but one is required. */
  resources: readonly string[] | undefined;
  /** Whether requests without `resource` are accepted, as before 2025-06-18. */
  withoutResource: boolean;
  /** Whether the user refuses. */
  refuses: boolean;
  /** Whether an assertion of the JWT bearer grant is accepted (RFC 7523). */
  acceptsAssertion: (assertion: string) => boolean;
  /** Whether a subject token of the token exchange is accepted (RFC 8693). */
  acceptsSubjectToken: (token: string) => boolean;
}

/** What the token endpoint needs of the fake server. */
export interface FakeServerState {
  readonly issuer: string;
  readonly settings: FakeServerSettings;
  readonly clients: Map<string, FakeClient>;
  readonly codes: Map<string, FakeCode>;
  readonly accessTokens: Map<string, FakeTokenFacts>;
  readonly refreshTokens: Map<string, FakeTokenFacts>;
  /** The refresh tokens that were replaced or revoked: using one again ends the log-in. */
  readonly retired: Map<string, FakeTokenFacts>;
  readonly dpopChecks: DpopChecks;
  secret(kind: string): string;
  endLogin(login: number): void;
  checkResource(resource: string | undefined): string | undefined;
}

/** An OAuth error response. */
export class OAuthProblem extends Error {
  constructor(
    readonly code: string,
    description = code,
    readonly status = 400,
  ) {
    super(description);
  }
}

export function scopesOf(scope: string | null | undefined): readonly string[] {
  return scope?.split(" ").filter((one) => one !== "") ?? [];
}
