/** Requests and verifiers for tests of `requireBearerAuth` without a network. */
import type { HttpRequest } from "../../../runtime/src/http-server/host-adapter.js";
import type { JSONRPCRequest } from "../../../runtime/src/jsonrpc/message-types.js";
import type { TokenFacts } from "../../../runtime/src/auth-server/auth-info.js";
import { InvalidTokenError } from "../../../runtime/src/auth-server/token-errors.js";
import type { OAuthTokenVerifier } from "../../../runtime/src/auth-server/token-verifier.js";
import type { Principal } from "../../../runtime/src/transport/principal.js";

export const resource = "https://mcp.example.com/mcp";
export const issuer = "https://auth.example.com";
export const metadataUrl = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

export interface RequestParts {
  readonly method?: string;
  readonly url?: string;
  /** By name in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly principal?: Principal | undefined;
}

export function requestWith({
  method = "POST",
  url = "/mcp",
  headers = {},
  principal,
}: RequestParts = {}): HttpRequest {
  return { method, url, principal, remoteAddress: "192.0.2.1", header: (name) => headers[name] };
}

export function bearerRequest(token: string, parts: RequestParts = {}): HttpRequest {
  return requestWith({ ...parts, headers: { authorization: `Bearer ${token}`, ...parts.headers } });
}

export function call(name: string, params: Readonly<Record<string, unknown>> = {}): JSONRPCRequest {
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, ...params } };
}

/** What a token of Alice says that is valid for an hour. */
export function factsWith(facts: Partial<TokenFacts> = {}): TokenFacts {
  return {
    issuer,
    subject: "alice",
    clientId: "desktop",
    scopes: [],
    expiresAt: Math.floor(Date.now() / 1_000) + 3_600,
    audience: [resource],
    keyThumbprint: undefined,
    claims: {},
    ...facts,
  };
}

export interface FakeVerifier extends OAuthTokenVerifier {
  /** How often each token was verified. */
  readonly verified: Map<string, number>;
}

/** Accepts the tokens of a record. A function is called for each verification. */
export function verifierOf(
  tokens: Readonly<Record<string, TokenFacts | (() => TokenFacts | Promise<TokenFacts>)>>,
  cacheMs?: number,
): FakeVerifier {
  const verified = new Map<string, number>();
  return {
    issuers: [issuer],
    ...(cacheMs !== undefined && { cacheMs }),
    verified,
    verifyAccessToken(token) {
      verified.set(token, (verified.get(token) ?? 0) + 1);
      const known = Object.hasOwn(tokens, token) ? tokens[token] : undefined;
      if (!known) throw new InvalidTokenError("inactive", "The token is not known");
      return typeof known === "function" ? known() : known;
    },
  };
}
