import { GenerationCache } from "../collections/generation-cache.js";
import type { TokenCredentials } from "./token-credentials.js";

/** How many characters at the end of a header find it again. They are part of the signature of a JWT. */
const keyLength = 32;

/**
 * The `Authorization` headers of accepted tokens, so that repeated ones need not be parsed. A header is found by its end and then
 * compared, because a hash of the whole header takes longer. Of headers with the same end, the latest is known.
 */
export class KnownCredentials {
  readonly #known: GenerationCache<TokenCredentials>;

  /** @param max the most headers that are kept */
  constructor(max: number) {
    this.#known = new GenerationCache(max);
  }

  /** Returns what was read from the same header before; its token is the same object, whose hash is known. */
  find(header: string): TokenCredentials | undefined {
    const known = this.#known.get(header.slice(-keyLength));
    return known?.header === header ? known : undefined;
  }

  /** Adds credentials that were accepted, unless they are known. */
  add(credentials: TokenCredentials): void {
    if (credentials.isKnown) return;
    credentials.isKnown = true;
    this.#known.set(credentials.header.slice(-keyLength), credentials);
  }
}
