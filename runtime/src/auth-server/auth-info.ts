import type { Principal } from "../transport/principal.js";

/** The members of a verified access token. */
export interface TokenFacts<Claims extends object = Readonly<Record<string, unknown>>> extends Principal {
  /** The client that the token was issued to (`client_id`, or `azp`); undefined when the token does not name it. */
  readonly clientId: string | undefined;
  readonly scopes: readonly string[];
  /** The end of its lifetime (`exp`), in seconds since 1970. */
  readonly expiresAt: number;
  /** The resources that the token was issued for (`aud`). */
  readonly audience: readonly string[];
  /** The SHA-256 thumbprint (RFC 7638) of the key that the token is bound to (`cnf.jkt`, RFC 9449); undefined for bearer tokens. */
  readonly keyThumbprint: string | undefined;
  /** All claims of the token, or all members of the introspection response. */
  readonly claims: Claims;
}

/** The sender of a request: the verified members of its access token. It is the `principal` of the request's context. */
export class AuthInfo<Claims extends object = Readonly<Record<string, unknown>>> implements TokenFacts<Claims> {
  readonly issuer: string;
  readonly subject: string;
  readonly clientId: string | undefined;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
  readonly audience: readonly string[];
  readonly keyThumbprint: string | undefined;
  readonly claims: Claims;
  readonly #token: string;

  constructor(token: string, facts: TokenFacts<Claims>) {
    this.#token = token;
    this.issuer = facts.issuer;
    this.subject = facts.subject;
    this.clientId = facts.clientId;
    this.scopes = facts.scopes;
    this.expiresAt = facts.expiresAt;
    this.audience = facts.audience;
    this.keyThumbprint = facts.keyThumbprint;
    this.claims = facts.claims;
  }

  /**
   * The access token. It is not printed with this object. Never send it to another service (MCP, security best practices: token
   * passthrough); exchange it for a token of that service instead. Empty when another node has received the message, by HTTP+SSE: nodes
   * do not pass tokens on.
   */
  get token(): string {
    return this.#token;
  }
}
