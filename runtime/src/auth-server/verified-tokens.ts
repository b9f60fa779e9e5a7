import { GenerationCache } from "../collections/generation-cache.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import { withTimeLimit } from "../timing/with-time-limit.js";
import { AuthInfo, type TokenFacts } from "./auth-info.js";
import { checkTokenFacts, type ExpectedFacts } from "./check-token-facts.js";
import { TokenVerificationError } from "./token-errors.js";
import type { OAuthTokenVerifier } from "./token-verifier.js";

/** Different tokens that are being verified at the same time; each may wait for the authorization server. */
const maxPending = 1_000;

export interface VerifiedTokensOptions<Claims extends object> extends ExpectedFacts {
  readonly verifier: OAuthTokenVerifier<Claims>;
  readonly resource: string;
  readonly maxCachedTokens: number;
  /** Milliseconds that a verification may take. */
  readonly timeoutMs: number;
}

/** A verified token. */
export interface VerifiedToken<Claims extends object> {
  readonly info: AuthInfo<Claims>;
  /** The `Date.now()` at which it is verified again. */
  readonly validUntil: number;
}

/**
 * Verifies tokens, and remembers those that were accepted. Rejected tokens are not remembered, so that a flood of them cannot
 * displace others.
 */
export class VerifiedTokens<Claims extends object> {
  readonly #options: VerifiedTokensOptions<Claims>;
  /** By the token itself: web standards compute hashes only asynchronously. The values contain the token, too. */
  readonly #verified: GenerationCache<VerifiedToken<Claims>>;
  readonly #pending = new Map<string, Promise<AuthInfo<Claims>>>();

  constructor(options: VerifiedTokensOptions<Claims>) {
    this.#options = options;
    this.#verified = new GenerationCache(options.maxCachedTokens);
  }

  /**
   * Returns what a token says; a promise only when it has to be verified and the verifier waits. Requests with the same token
   * share a running verification.
   * @throws what the verifier throws; InvalidTokenError, TypeError, see `checkTokenFacts`
   */
  verify(token: string): AuthInfo<Claims> | Promise<AuthInfo<Claims>> {
    const known = this.#verified.get(token);
    if (known) {
      if (Date.now() < known.validUntil) return known.info;
      this.#verified.delete(token);
    }
    const running = this.#pending.get(token);
    if (running) return running;
    if (this.#pending.size >= maxPending)
      throw new TokenVerificationError("Too many tokens are being verified at the same time; try again later");
    const { verifier, resource, timeoutMs } = this.#options;
    const controller = new AbortController();
    const outcome = verifier.verifyAccessToken(token, { resource, signal: controller.signal });
    if (!isPromiseLike(outcome)) return this.#accept(token, outcome);
    const late = (): Error => {
      const error = new TokenVerificationError(`The verifier did not finish within ${timeoutMs} ms`);
      controller.abort(error);
      return error;
    };
    const pending = withTimeLimit(outcome, timeoutMs, late)
      .then((facts) => this.#accept(token, facts))
      .finally(() => this.#pending.delete(token));
    this.#pending.set(token, pending);
    return pending;
  }

  /** The number of tokens that are remembered. */
  get size(): number {
    return this.#verified.size;
  }

  #accept(token: string, facts: TokenFacts<Claims>): AuthInfo<Claims> {
    const info = new AuthInfo(token, checkTokenFacts(facts, this.#options));
    // All requests with this token share it.
    Object.freeze(info);
    const { cacheMs = 0 } = this.#options.verifier;
    const now = Date.now();
    const validUntil = Math.min(info.expiresAt * 1_000, now + cacheMs);
    if (validUntil > now) this.#verified.set(token, { info, validUntil });
    return info;
  }
}
