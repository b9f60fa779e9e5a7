import { compactVerify, type CryptoKey, errors, type JSONWebKeySet } from "jose";
import type { FetchLike } from "../../http-client/fetch-like.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import { assertNumberOptions } from "../../options/assert-options.js";
import type { StandardSchema } from "../../schema/standard-schema.js";
import type { TokenFacts } from "../auth-info.js";
import { InvalidTokenError } from "../token-errors.js";
import type { OAuthTokenVerifier, TokenContext } from "../token-verifier.js";
import { audienceOption } from "./audience-option.js";
import { FixedKeys, IssuerKeys, type KeySource } from "./issuer-keys.js";
import { issuersOption, urlOption } from "./issuer-metadata.js";
import { parseJwt, type ParsedJwt } from "./parse-jwt.js";
import { PublicKeys } from "./public-keys.js";
import { acceptedAlgorithms } from "./accepted-algorithms.js";
import { leewayOption } from "./leeway.js";
import { readClaims } from "./token-claims.js";
import { checkTokenType } from "./token-type.js";
import { type AnyClaims, validateClaims } from "./validate-claims.js";

/** Options of `jwtVerifier`. */
export interface JwtVerifierOptions<Claims extends object = AnyClaims> {
  /**
   * The issuer of the tokens, exactly as in their `iss` and in the issuer's metadata; or several. https, or http on this machine.
   */
  readonly issuer: string | readonly string[];
  /** What `aud` must contain, or a list of which it must contain one. Default: the resource. */
  readonly audience?: string | readonly string[];
  /**
   * The accepted signature algorithms, such as `ES256`. Only those with public keys can be listed. Default: RS, PS and ES with 256, 384
   * and 512 bits, `EdDSA` and `Ed25519`.
   */
  readonly algorithms?: readonly string[];
  /**
   * The issuer's public keys, or the URL where it publishes them. With several issuers, they count for each. Default: the `jwks_uri` in
   * the metadata of the issuer (RFC 8414, OpenID Connect Discovery), which is requested for the first token.
   */
  readonly jwks?: JSONWebKeySet | string;
  /** Validates the claims, after everything else. Its result is `AuthInfo.claims`. Default: all claims, as they are. */
  readonly claims?: StandardSchema<unknown, Claims>;
  /** Seconds by which the clocks of this server and of the issuer may differ, at most 300. Default: 30. */
  readonly leewaySeconds?: number;
  /** Seconds since `iat` after which a token is not accepted, even if `exp` is later. Default: no limit. */
  readonly maxTokenAgeSeconds?: number;
  /**
   * The accepted values of `typ` in the header of tokens; `application/` may be left out. Default: `at+jwt` (RFC 9068); and `JWT` or none
   * when the claims are those of an access token, because many issuers do not follow RFC 9068. ID tokens are never accepted by default.
   */
  readonly typ?: string | readonly string[];
  /** The longest accepted token, in characters. Default: 16,384. */
  readonly maxTokenBytes?: number;
  /** Requests the metadata and the keys. Default: the global `fetch`. Redirects are not followed. */
  readonly fetch?: FetchLike;
  /** Milliseconds until metadata and keys must be complete. Default: 10,000. */
  readonly timeoutMs?: number;
  /** The largest metadata document or key set, in bytes. Default: 256 KiB. */
  readonly maxDocumentBytes?: number;
  /**
   * Milliseconds between two requests for the keys of an issuer, however many tokens have an unknown `kid`. While there are no keys yet,
   * the pause after a failure is shorter at first: 1 second, doubled by each further failure. Default: 30,000.
   */
  readonly cooldownMs?: number;
  /** Milliseconds after which the keys are requested again. While the issuer is down, old keys go on serving. Default: 600,000. */
  readonly keysMaxAgeMs?: number;
  /**
   * Receives the reason when the issuer is down and keys in memory go on serving. Without keys in memory, the reason is the message of
   * the `TokenVerificationError`. Default: such errors are printed with `console.error`.
   */
  readonly onerror?: (error: Error) => void;
}

/**
 * Verifies access tokens that are JWTs (RFC 9068, RFC 8725): signature, issuer, audience, times and type. Keys are requested for the
 * first token, shared by all calls, and requested again when they are old or a `kid` is unknown.
 * @example
 * const verifier = jwtVerifier({
 *   issuer: "https://auth.example.com",
 *   claims: z.looseObject({ tenant: z.string() }), // optional: any Standard Schema
 * });
 * const authorization = requireBearerAuth({ resource: "https://mcp.example.com/mcp", verifier });
 * @throws SdkError `INVALID_CONFIGURATION` when an option is invalid
 */
export function jwtVerifier<Claims extends object = AnyClaims>(
  options: JwtVerifierOptions<Claims>,
): OAuthTokenVerifier<Claims> {
  return new JwtVerifier(options);
}

class JwtVerifier<Claims extends object> implements OAuthTokenVerifier<Claims> {
  readonly issuers: readonly string[];
  readonly audiences: readonly string[] | undefined;
  /** JWTs cannot be revoked. */
  readonly cacheMs = Infinity;
  readonly #options: JwtVerifierOptions<Claims>;
  readonly #leewaySeconds: number;
  readonly #algorithms: ReadonlySet<string>;
  readonly #types: readonly string[] | undefined;
  readonly #keys: ReadonlyMap<string, KeySource>;

  constructor(options: JwtVerifierOptions<Claims>) {
    assertNumberOptions(options);
    this.#options = options;
    this.issuers = issuersOption(options.issuer);
    this.#algorithms = acceptedAlgorithms(options.algorithms);
    this.audiences = audienceOption(options.audience);
    this.#leewaySeconds = leewayOption(options.leewaySeconds);
    this.#types = typeof options.typ === "string" ? [options.typ] : options.typ;
    this.#keys = keySources(this.issuers, this.#algorithms, options);
  }

  async verifyAccessToken(token: string, { resource, signal }: TokenContext): Promise<TokenFacts<Claims>> {
    const { maxTokenBytes = 16_384, maxTokenAgeSeconds = Infinity, claims: schema } = this.#options;
    if (token.length > maxTokenBytes)
      throw new InvalidTokenError("malformed", `the token is longer than ${maxTokenBytes} characters`);
    const jwt = parseJwt(token, this.#algorithms);
    const { iss: issuer } = jwt.claims;
    const keys = typeof issuer === "string" ? this.#keys.get(issuer) : undefined;
    if (typeof issuer !== "string" || !keys)
      throw new InvalidTokenError(
        "issuer",
        "the token was issued by an authorization server that is not accepted here",
      );
    // Checked before the signature, so that only tokens which could be valid cost a verification, or a request for keys.
    checkTokenType(jwt, this.#types);
    const audience = this.audiences ?? [resource];
    const facts = readClaims(jwt.claims, issuer, {
      audience,
      leewaySeconds: this.#leewaySeconds,
      maxTokenAgeSeconds,
    });
    await verifySignature(token, jwt, await keys.find(jwt, signal));
    return validateClaims(facts, schema);
  }
}

/** One source of keys per issuer: its keys must not verify the tokens of another one. */
function keySources(
  issuers: readonly string[],
  algorithms: ReadonlySet<string>,
  options: JwtVerifierOptions<object>,
): ReadonlyMap<string, KeySource> {
  const { jwks, fetch: send = (url, init) => fetch(url, init), timeoutMs = 10_000, onerror } = options;
  const { maxDocumentBytes = 2 ** 18, cooldownMs = 30_000, keysMaxAgeMs = 600_000 } = options;
  const limits = { fetch: send, maxDocumentBytes, timeoutMs, cooldownMs, keysMaxAgeMs, onerror };
  if (jwks === undefined) return new Map(issuers.map((issuer) => [issuer, new IssuerKeys(issuer, limits)]));
  if (typeof jwks === "string") {
    const url = urlOption(jwks, "jwks");
    const shared = new IssuerKeys(issuers[0] ?? "", limits, url);
    return new Map(issuers.map((issuer) => [issuer, shared]));
  }
  const keys = fixedKeys(jwks, algorithms);
  return new Map(issuers.map((issuer) => [issuer, keys]));
}

function fixedKeys(jwks: unknown, algorithms: ReadonlySet<string>): KeySource {
  const refuse = (why: string): never => {
    throw new SdkError("INVALID_CONFIGURATION", `jwks ${why}`);
  };
  if (!isObject(jwks) || !Array.isArray(jwks["keys"]))
    return refuse("must be a URL, or a set of public keys: { keys: [...] }");
  if (jwks["keys"].some((key) => isObject(key) && ["d", "k", "priv"].some((name) => Object.hasOwn(key, name))))
    return refuse("contains a private key or a secret: pass public keys only");
  const keys = new PublicKeys(structuredClone(jwks));
  if (![...algorithms].some((algorithm) => keys.has(algorithm)))
    return refuse(`contains no key for ${[...algorithms].join(", ")}`);
  return new FixedKeys(keys);
}

/** @throws InvalidTokenError `signature`, `malformed` */
async function verifySignature(token: string, { algorithm }: ParsedJwt, keys: readonly CryptoKey[]): Promise<void> {
  for (const key of keys)
    try {
      await compactVerify(token, key, { algorithms: [algorithm] });
      return;
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      // No cause: it may contain a part of the token.
      if (error instanceof errors.JOSEError) throw new InvalidTokenError("malformed", "the token is not a valid JWS");
      throw error;
    }
  throw new InvalidTokenError("signature", "the signature of the token is not valid");
}
