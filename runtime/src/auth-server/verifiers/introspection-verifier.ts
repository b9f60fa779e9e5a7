import {
  ClientAuthentication,
  type Provided,
  type TokenEndpointAuthMethod,
} from "../../auth/client-identity/client-authentication.js";
import type { PrivateKey } from "../../auth/client-identity/signing-key.js";
import type { FetchLike } from "../../http-client/fetch-like.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { assertNumberOptions } from "../../options/assert-options.js";
import type { StandardSchema } from "../../schema/standard-schema.js";
import type { TokenFacts } from "../auth-info.js";
import { InvalidTokenError } from "../token-errors.js";
import type { OAuthTokenVerifier, TokenContext } from "../token-verifier.js";
import { audienceOption } from "./audience-option.js";
import { IntrospectionEndpoint } from "./introspection-endpoint.js";
import { issuersOption, urlOption } from "./issuer-metadata.js";
import { leewayOption } from "./leeway.js";
import { readClaims } from "./token-claims.js";
import { type AnyClaims, validateClaims } from "./validate-claims.js";

/** Options of `introspectionVerifier`. */
export interface IntrospectionVerifierOptions<Claims extends object = AnyClaims> {
  /** The authorization server that issued the tokens, exactly as in its metadata. https, or http on this machine. */
  readonly issuer: string;
  /** The URL of its introspection endpoint. Default: the `introspection_endpoint` in its metadata, which is requested for the first token. */
  readonly endpoint?: string;
  /** The id that this server has as a client of the authorization server. */
  readonly clientId: string;
  /** The secret of that client. It, or `privateKey`, is required. */
  readonly clientSecret?: Provided<string>;
  /** The key that signs assertions of that client (`private_key_jwt`). */
  readonly privateKey?: Provided<PrivateKey>;
  /** The JWS algorithm of these assertions. Default: that of the key, else the first one that fits it. */
  readonly algorithm?: string;
  /** The `kid` of these assertions. Default: that of a JWK. */
  readonly keyId?: string;
  /** How that client authenticates. Default: the first one of key, basic and post that it can use and that the metadata lists. */
  readonly authMethod?: Exclude<TokenEndpointAuthMethod, "none">;
  /** What `aud` must contain, or a list of which it must contain one. Default: the resource. */
  readonly audience?: string | readonly string[];
  /** Validates the members of the response, after everything else. Its result is `AuthInfo.claims`. Default: all members, as they are. */
  readonly claims?: StandardSchema<unknown, Claims>;
  /** Milliseconds during which a token is not asked about again: so long a revoked token is still accepted. Default: 10,000. */
  readonly cacheMs?: number;
  /** Seconds by which the clocks of this server and of the issuer may differ, at most 300. Default: 30. */
  readonly leewaySeconds?: number;
  /** The longest accepted token, in characters. Default: 16,384. */
  readonly maxTokenBytes?: number;
  /** Requests the metadata and asks about tokens. Default: the global `fetch`. Redirects are not followed. */
  readonly fetch?: FetchLike;
  /** Milliseconds that a request may take. Default: 10,000. */
  readonly timeoutMs?: number;
  /** The largest response, in bytes. Default: 256 KiB. */
  readonly maxDocumentBytes?: number;
  /** Receives the reason when the metadata cannot be requested again and the old goes on serving. Default: it is printed. */
  readonly onerror?: (error: Error) => void;
}

/** The characters of a token (RFC 6750, section 2.1). */
const tokenSyntax = /^[\w.~+/-]+=*$/;

/**
 * Verifies access tokens of any form by asking their authorization server (RFC 7662). Its response must contain the audience (`aud`) and the end
 * (`exp`) of a token.
 * @example
 * const verifier = introspectionVerifier({
 *   issuer: "https://auth.example.com",
 *   clientId: "mcp-server",
 *   clientSecret: process.env.INTROSPECTION_SECRET,
 * });
 * const authorization = requireBearerAuth({ resource: "https://mcp.example.com/mcp", verifier });
 * @throws SdkError `INVALID_CONFIGURATION` when an option is invalid
 */
export function introspectionVerifier<Claims extends object = AnyClaims>(
  options: IntrospectionVerifierOptions<Claims>,
): OAuthTokenVerifier<Claims> {
  return new IntrospectionVerifier(options);
}

class IntrospectionVerifier<Claims extends object> implements OAuthTokenVerifier<Claims> {
  readonly issuers: readonly string[];
  readonly audiences: readonly string[] | undefined;
  readonly cacheMs: number;
  readonly #options: IntrospectionVerifierOptions<Claims>;
  readonly #leewaySeconds: number;
  readonly #endpoint: IntrospectionEndpoint;

  constructor(options: IntrospectionVerifierOptions<Claims>) {
    assertNumberOptions(options);
    const { issuer, clientId, endpoint, timeoutMs = 10_000, maxDocumentBytes = 2 ** 18, onerror } = options;
    const { fetch: send = (url: URL, init: RequestInit) => fetch(url, init) } = options;
    this.#options = options;
    this.issuers = issuersOption([issuer]);
    this.audiences = audienceOption(options.audience);
    this.#leewaySeconds = leewayOption(options.leewaySeconds);
    this.cacheMs = options.cacheMs ?? 10_000;
    if (typeof clientId !== "string" || clientId === "")
      throw new SdkError("INVALID_CONFIGURATION", "clientId must be a string that is not empty");
    this.#endpoint = new IntrospectionEndpoint({
      issuer,
      clientId,
      authentication: authenticationOf(options),
      endpoint: endpoint === undefined ? undefined : urlOption(endpoint, "endpoint"),
      fetch: send,
      timeoutMs,
      maxDocumentBytes,
      onerror,
    });
  }

  async verifyAccessToken(token: string, { resource, signal }: TokenContext): Promise<TokenFacts<Claims>> {
    const { issuer, maxTokenBytes = 16_384, claims: schema } = this.#options;
    if (token.length > maxTokenBytes)
      throw new InvalidTokenError("malformed", `the token is longer than ${maxTokenBytes} characters`);
    if (!tokenSyntax.test(token))
      throw new InvalidTokenError("malformed", "the token has characters that no token has");
    const members = await this.#endpoint.introspect(token, signal);
    if (members["active"] !== true)
      throw new InvalidTokenError("inactive", "the token has expired, was revoked, or is not known to its issuer");
    if (members["iss"] !== undefined && members["iss"] !== issuer)
      throw new InvalidTokenError(
        "issuer",
        "the token was issued by an authorization server that is not accepted here",
      );
    const audience = this.audiences ?? [resource];
    const facts = readClaims(members, issuer, {
      audience,
      leewaySeconds: this.#leewaySeconds,
      maxTokenAgeSeconds: Infinity,
    });
    checkKind(members, facts);
    return validateClaims(facts, schema);
  }
}

/**
 * Checks that a token is an access token: authorization servers also respond about refresh tokens.
 * @throws InvalidTokenError
 */
function checkKind(members: AnyClaims, { keyThumbprint }: TokenFacts): void {
  const { token_type: type, token_use: use, typ } = members;
  const isBound = typeof type === "string" && type.toLowerCase() === "dpop";
  const isAccessToken =
    (type === undefined || isBound || (typeof type === "string" && type.toLowerCase() === "bearer")) &&
    (use === undefined || use === "access" || use === "access_token") &&
    (typ === undefined || typ === "Bearer" || typ === "DPoP" || typ === "at+jwt");
  if (!isAccessToken) throw new InvalidTokenError("malformed", "the token is not an access token");
  if (isBound && keyThumbprint === undefined)
    throw new InvalidTokenError("claims", "the token is bound to a key that its issuer does not name (cnf.jkt)");
}

function authenticationOf(options: IntrospectionVerifierOptions<object>): ClientAuthentication {
  const { clientSecret, privateKey, algorithm, keyId, authMethod } = options;
  if (clientSecret === undefined && privateKey === undefined)
    throw new SdkError(
      "INVALID_CONFIGURATION",
      "introspection needs clientSecret or privateKey (RFC 7662, section 2.1)",
    );
  return new ClientAuthentication({
    ...(clientSecret !== undefined && { clientSecret }),
    ...(privateKey !== undefined && { privateKey }),
    ...(algorithm !== undefined && { algorithm }),
    ...(keyId !== undefined && { keyId }),
    ...(authMethod !== undefined && { tokenEndpointAuthMethod: authMethod }),
  });
}
