import { SdkError } from "../../jsonrpc/errors.js";
import type { ReplayStore } from "../replay-store.js";
import { TokenVerificationError } from "../token-errors.js";

export interface MemoryReplayStoreOptions {
  /** Maximum number of ids that are remembered at a time. An id needs about 200 bytes. Default: 500,000. */
  readonly maxIds?: number;
  /** The share of `maxIds` that one client may take, more than 0 and at most 1. Default: `0.25`. */
  readonly clientShare?: number;
}

/** Ids that expire in the same span of so many milliseconds are forgotten together. */
const spanMs = 60_000;

interface Span {
  readonly ids: Set<string>;
  /** How many of them each client has added. */
  readonly counts: Map<string, number>;
}

/**
 * Remembers the ids of proofs in the memory of this process: the default of the option `dpop`. Several nodes behind one address need
 * a store that they share, such as the `replayStore` of a `Backplane`.
 *
 * When it is full of ids that have not expired, it does not forget one of them, because the proof of that id could be used again. It
 * rejects new proofs instead (503), until ids expire. Only clients with a valid token can fill it, and each only its share. The
 * default limit is more than one process can verify in the five minutes that a proof is valid.
 */
export class MemoryReplayStore implements ReplayStore {
  readonly #maxIds: number;
  readonly #maxPerClient: number;
  /** By the time at which the last of their ids expires. */
  readonly #spans = new Map<number, Span>();
  readonly #counts = new Map<string, number>();
  #size = 0;
  #nextEnd = Infinity;

  /** @throws SdkError `INVALID_CONFIGURATION` when an option is out of its range */
  constructor({ maxIds = 500_000, clientShare = 0.25 }: MemoryReplayStoreOptions = {}) {
    if (!Number.isSafeInteger(maxIds) || maxIds < 1)
      throw new SdkError("INVALID_CONFIGURATION", `maxIds must be an integer of 1 or more, not ${maxIds}`);
    if (!(clientShare > 0 && clientShare <= 1))
      throw new SdkError("INVALID_CONFIGURATION", `clientShare must be more than 0 and at most 1, not ${clientShare}`);
    this.#maxIds = maxIds;
    this.#maxPerClient = Math.ceil(maxIds * clientShare);
  }

  /** The number of ids that it holds, including expired ones that the next `add` forgets. */
  get size(): number {
    return this.#size;
  }

  /** @throws TokenVerificationError when it is full, or the client has taken its share */
  add(id: string, expiresAt: number, client = ""): boolean {
    this.#forgetExpired(Date.now());
    for (const { ids } of this.#spans.values()) if (ids.has(id)) return false;
    const count = this.#counts.get(client) ?? 0;
    if (this.#size >= this.#maxIds) throw full("", this.#size);
    if (client !== "" && count >= this.#maxPerClient) throw full(" of this client", count);
    const end = Math.ceil(expiresAt / spanMs) * spanMs;
    let span = this.#spans.get(end);
    if (!span) this.#spans.set(end, (span = { ids: new Set(), counts: new Map() }));
    span.ids.add(id);
    span.counts.set(client, (span.counts.get(client) ?? 0) + 1);
    this.#counts.set(client, count + 1);
    this.#nextEnd = Math.min(this.#nextEnd, end);
    this.#size++;
    return true;
  }

  #forgetExpired(now: number): void {
    if (now < this.#nextEnd) return;
    this.#nextEnd = Infinity;
    for (const [end, span] of this.#spans)
      if (end > now) this.#nextEnd = Math.min(this.#nextEnd, end);
      else this.#forget(end, span);
  }

  #forget(end: number, { ids, counts }: Span): void {
    this.#spans.delete(end);
    this.#size -= ids.size;
    for (const [client, count] of counts) {
      const left = (this.#counts.get(client) ?? 0) - count;
      if (left > 0) this.#counts.set(client, left);
      else this.#counts.delete(client);
    }
  }
}

function full(whose: string, count: number): TokenVerificationError {
  return new TokenVerificationError(
    `No further DPoP proof${whose} is accepted now: the ids of ${count} are remembered, and have not expired`,
  );
}
