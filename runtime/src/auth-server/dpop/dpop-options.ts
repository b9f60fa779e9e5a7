import type { ReplayStore } from "../replay-store.js";

/** How the proofs of DPoP-bound tokens are verified (RFC 9449). */
export interface DpopOptions {
  /** Whether tokens that are not bound to a key are rejected. Default: false. */
  readonly required?: boolean;
  /**
   * Whether proofs must contain a nonce of this server (RFC 9449, section 9), which shows that they were not made in advance. A
   * client without the newest nonces needs one more request. Several nodes behind one address need the same `secret`; without one,
   * each process has its own. Default: false.
   */
  readonly nonces?: boolean | DpopNonceOptions;
  /** Remembers the ids of proofs. Several nodes behind one address need a common one. Default: a `MemoryReplayStore`. */
  readonly replayStore?: ReplayStore;
  /** Milliseconds that the replay store may take for one id; afterwards the response is 503. Default: 5,000. */
  readonly replayTimeoutMs?: number;
  /**
   * The accepted signature algorithms: any of ES256, ES384, ES512, Ed25519, EdDSA, PS256, PS384, PS512, RS256, RS384 and RS512.
   * Default: all of them.
   */
  readonly algorithms?: readonly string[];
  /** By how many seconds the `iat` of a proof may be before or after the clock of this server. Default: 300. */
  readonly maxAgeSeconds?: number;
}

export interface DpopNonceOptions {
  /** At least 32 characters, random, and the same on all nodes. */
  readonly secret: string;
  /** After how many seconds a new nonce replaces the current one, which is accepted once more as long. Default: 300. */
  readonly lifetimeSeconds?: number;
}
