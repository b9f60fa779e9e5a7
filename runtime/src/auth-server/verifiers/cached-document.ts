import { reportUserErrorTo } from "../../connection/error-reporting.js";
import { raceAbort } from "../../timing/race-abort.js";
import { timerDelay } from "../../timing/timer-delay.js";
import { TokenVerificationError } from "../token-errors.js";

export interface CachedDocumentOptions {
  /** Names the document in messages. */
  readonly what: string;
  /** Milliseconds after which it is requested again. */
  readonly maxAgeMs: number;
  /** Milliseconds between two requests: the pause after a request that failed, and the least between those of `newer`. */
  readonly cooldownMs: number;
  /** Milliseconds that a request may take. */
  readonly timeoutMs: number;
  /** Receives the failures that fail no call, because the last document goes on serving. Default: they are printed. */
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** The pause after the first failure without a document; each further one doubles it, up to the cool-down. */
const firstPauseMs = 1_000;

/**
 * A document of an issuer: requested at first use, and again when it is old. Concurrent callers share one request. While the issuer
 * is down, the last document goes on serving, and requests pause.
 */
export class CachedDocument<Value> {
  #value: { readonly content: Value; readonly since: number } | undefined;
  #startedAt = -Infinity;
  #failures = 0;
  #failure: TokenVerificationError | undefined;
  #pending: Promise<void> | undefined;

  constructor(
    readonly load: (signal: AbortSignal) => Promise<Value>,
    readonly options: CachedDocumentOptions,
  ) {}

  /** Why the last request failed; undefined when it succeeded. */
  get failure(): TokenVerificationError | undefined {
    return this.#failure;
  }

  /**
   * Returns the document. An old one is requested again first; but not waited for when the last request has failed already.
   * @throws TokenVerificationError when there is none; the abort reason of `signal`
   */
  async get(signal: AbortSignal | undefined): Promise<Value> {
    const isOld = !this.#value || performance.now() - this.#value.since >= this.options.maxAgeMs;
    if (isOld) {
      const request = this.#request();
      if (request && !(this.#value && this.#failure)) await raceAbort(signal, request);
    }
    if (this.#value) return this.#value.content;
    throw this.#failure ?? new TokenVerificationError(`${this.options.what}: not available`);
  }

  /**
   * Requests the document again, unless the last request began less than a cool-down ago. Joins a request that is under way.
   * @returns the newest document, which may be the same
   */
  async newer(signal: AbortSignal | undefined): Promise<Value> {
    const request = this.#request();
    if (request) await raceAbort(signal, request);
    return this.get(signal);
  }

  /** Lets the next `get` request the document again. */
  expire(): void {
    if (this.#value) this.#value = { ...this.#value, since: -Infinity };
  }

  /** Starts a request, or returns the one under way. Undefined during a pause. The promise never rejects. */
  #request(): Promise<void> | undefined {
    const { cooldownMs } = this.options;
    const pause = this.#value ? cooldownMs : Math.min(firstPauseMs * 2 ** (this.#failures - 1), cooldownMs);
    if (!this.#pending && performance.now() - this.#startedAt >= pause)
      this.#pending = this.#load().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async #load(): Promise<void> {
    const { what, timeoutMs, onerror } = this.options;
    const end = new AbortController();
    const late = (): void => end.abort(new Error(`not complete after ${timeoutMs} ms`));
    const timer = setTimeout(late, timerDelay(timeoutMs));
    this.#startedAt = performance.now();
    try {
      this.#value = { content: await raceAbort(end.signal, this.load(end.signal)), since: this.#startedAt };
      this.#failure = undefined;
      this.#failures = 0;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#failure =
        error instanceof TokenVerificationError
          ? error
          : new TokenVerificationError(`${what} cannot be requested now: ${why}`, { cause: error });
      this.#failures++;
      if (this.#value) reportUserErrorTo(onerror ? { onerror } : {}, this.#failure);
    } finally {
      clearTimeout(timer);
    }
  }
}
