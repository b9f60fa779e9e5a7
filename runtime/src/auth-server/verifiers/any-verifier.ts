import { SdkError } from "../../jsonrpc/errors.js";
import type { TokenFacts } from "../auth-info.js";
import { InvalidTokenError, type InvalidTokenReason, TokenVerificationError } from "../token-errors.js";
import type { OAuthTokenVerifier, TokenContext } from "../token-verifier.js";

/** The claims of a verifier. */
export type ClaimsOf<Verifier> = Verifier extends OAuthTokenVerifier<infer Claims> ? Claims : never;

/** Rejections that mean: the token may be of another verifier. */
const foreign: readonly InvalidTokenReason[] = ["malformed", "issuer", "inactive"];

/**
 * Accepts the tokens of several verifiers, for example JWTs of one issuer and opaque tokens of another. They are asked in order, until
 * one accepts the token or rejects it as its own: as expired, for example. Put those first that need no request.
 * An opaque token is sent to each authorization server up to the one that knows it: combine only those that you trust with the tokens
 * of the others. A token is kept as long as the shortest `cacheMs` of them allows.
 * @example
 * const verifier = anyVerifier(
 *   jwtVerifier({ issuer: "https://auth.example.com" }),
 *   introspectionVerifier({ issuer: "https://old.example.com", clientId: "mcp-server", clientSecret }),
 * );
 * @throws SdkError `INVALID_CONFIGURATION` without a verifier, or when only some have the option `audience`
 */
export function anyVerifier<Verifiers extends readonly OAuthTokenVerifier<object>[]>(
  ...verifiers: Verifiers
): OAuthTokenVerifier<ClaimsOf<Verifiers[number]>> {
  type Claims = ClaimsOf<Verifiers[number]>;
  // Each verifier returns its own claims, which are among those of all.
  return new AnyVerifier(verifiers) as OAuthTokenVerifier<object> as OAuthTokenVerifier<Claims>;
}

class AnyVerifier implements OAuthTokenVerifier<object> {
  readonly issuers: readonly string[];
  readonly audiences: readonly string[] | undefined;
  readonly cacheMs: number;
  readonly #verifiers: readonly OAuthTokenVerifier<object>[];

  constructor(verifiers: readonly OAuthTokenVerifier<object>[]) {
    if (verifiers.length === 0) throw new SdkError("INVALID_CONFIGURATION", "anyVerifier needs at least one verifier");
    const audiences = verifiers.map((verifier) => verifier.audiences);
    const isOwn = audiences.some((own) => own !== undefined);
    if (isOwn && audiences.includes(undefined))
      throw new SdkError(
        "INVALID_CONFIGURATION",
        "pass the option audience to each verifier of anyVerifier, or to none",
      );
    this.audiences = isOwn ? [...new Set(audiences.flatMap((own) => own ?? []))] : undefined;
    this.#verifiers = verifiers;
    this.issuers = [...new Set(verifiers.flatMap(({ issuers }) => issuers))];
    this.cacheMs = Math.min(...verifiers.map(({ cacheMs = 0 }) => cacheMs));
  }

  async verifyAccessToken(token: string, context: TokenContext): Promise<TokenFacts<object>> {
    let unavailable: TokenVerificationError | undefined;
    let rejection: InvalidTokenError | undefined;
    for (const verifier of this.#verifiers)
      try {
        const facts = await verifier.verifyAccessToken(token, context);
        // A verifier must not speak for the issuer of another one.
        if (verifier.issuers.includes(facts.issuer)) return facts;
        rejection = new InvalidTokenError("issuer", "the token was issued by another authorization server");
      } catch (error) {
        if (error instanceof TokenVerificationError) unavailable ??= error;
        else if (error instanceof InvalidTokenError && foreign.includes(error.reason)) rejection = error;
        else throw error;
      }
    // The verifier that could not be asked might have accepted it.
    throw unavailable ?? rejection ?? new InvalidTokenError("malformed", "no verifier accepts the token");
  }
}
