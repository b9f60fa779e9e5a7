import type { JWK } from "jose";
import type { Registration } from "../client-identity/registration.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";

/** A log-in between the authorization request and the callback. Contains secrets. */
export interface AuthorizationFlow {
  /** Identifies the flow; single use. */
  readonly state: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
  readonly redirectUri: string;
  /** The URL of the MCP server. */
  readonly url: string;
  /** The authorization server as it was discovered when the flow began; it alone receives the code. */
  readonly server: DiscoveredServer;
  readonly clientId: string;
  /** The dynamic registration of the client, if it has one. */
  readonly registration?: Registration;
  /** The requested scopes; undefined when the parameter was omitted. */
  readonly scopes?: readonly string[];
  /** The private key, as a JWK, to which code and tokens are bound (RFC 9449, section 10). */
  readonly dpopKey?: JWK;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}
