import { SdkError } from "../../jsonrpc/errors.js";
import type { ReplayStore } from "../replay-store.js";
import { TokenVerificationError } from "../token-errors.js";

export interface MemoryReplayStoreOptions {
  /** Maximum number of ids that are remembered at a time. An id needs about 200 bytes. Default: 500,000. */
  readonly maxIds?: number;
}

/** Ids that expire in the same span of so many milliseconds are forgotten together. */
const span = 60_000;

/**
 * Remembers the ids of proofs in the memory of this process: the default of the option `dpop`. Several nodes behind one address need
 * a store of their own that they share, such as Redis with `SET id 1 NX PXAT expiresAt`.
 *
 * When it is full of ids that have not expired, it does not forget one of them, because the proof of that id could be used again. It
 * rejects new proofs instead (503), until ids expire. Only clients with a valid token can fill it. The default limit is more than one
 * process can verify in the five minutes that a proof is valid.
 */
export class MemoryReplayStore implements ReplayStore {
  readonly #maxIds: number;
  /** The ids by the end of the span in which they expire. */
  readonly #spans = new Map<number, Set<string>>();
  #size = 0;
  #nextEnd = Infinity;

  /** @throws SdkError `INVALID_CONFIGURATION` when `maxIds` is not a positive integer */
  constructor({ maxIds = 500_000 }: MemoryReplayStoreOptions = {}) {
    if (!Number.isSafeInteger(maxIds) || maxIds < 1)
      throw new SdkError("INVALID_CONFIGURATION", `maxIds must be an integer of 1 or more, not ${maxIds}`);
    this.#maxIds = maxIds;
  }

  /** The number of ids that it holds, including expired ones that the next `add` forgets. */
  get size(): number {
    return this.#size;
  }

  /** @throws TokenVerificationError when it is full */
  add(id: string, expiresAt: number): boolean {
    this.#forgetExpired(Date.now());
    for (const ids of this.#spans.values()) if (ids.has(id)) return false;
    if (this.#size >= this.#maxIds)
      throw new TokenVerificationError(
        `No further DPoP proof is accepted now: the ids of ${this.#maxIds} are remembered, and none has expired`,
      );
    const end = Math.ceil(expiresAt / span) * span;
    const ids = this.#spans.get(end);
    if (ids) ids.add(id);
    else this.#spans.set(end, new Set([id]));
    this.#nextEnd = Math.min(this.#nextEnd, end);
    this.#size++;
    return true;
  }

  #forgetExpired(now: number): void {
    if (now < this.#nextEnd) return;
    let next = Infinity;
    for (const [end, ids] of this.#spans)
      if (end <= now) {
        this.#spans.delete(end);
        this.#size -= ids.size;
      } else next = Math.min(next, end);
    this.#nextEnd = next;
  }
}
