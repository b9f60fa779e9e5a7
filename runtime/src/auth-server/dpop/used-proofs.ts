import { assertMethods } from "../../options/assert-methods.js";
import { isPromiseLike } from "../../timing/is-promise-like.js";
import { withTimeLimit } from "../../timing/with-time-limit.js";
import type { ReplayStore } from "../replay-store.js";
import { TokenVerificationError } from "../token-errors.js";

/** Knows which proofs were used, by means of a store that may be on another machine. */
export class UsedProofs {
  readonly #store: ReplayStore;
  readonly #timeoutMs: number;

  /** @throws SdkError `INVALID_CONFIGURATION` when the store lacks its method */
  constructor(store: ReplayStore, timeoutMs: number) {
    assertMethods(store, ["add"], "dpop.replayStore must be a ReplayStore with the method add");
    this.#store = store;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Records the use of a proof. Ids of different keys are different ids.
   * @returns whether it is the first use
   * @throws TokenVerificationError when the store fails, or takes too long
   */
  async use(keyThumbprint: string, id: string, expiresAt: number): Promise<boolean> {
    const late = (): Error =>
      new TokenVerificationError(
        `The DPoP proof cannot be verified now: its id was not stored within ${this.#timeoutMs} ms`,
      );
    let isNew: unknown;
    try {
      const added = this.#store.add(`${keyThumbprint}.${id}`, expiresAt, keyThumbprint);
      isNew = isPromiseLike(added) ? await withTimeLimit(added, this.#timeoutMs, late) : added;
    } catch (cause) {
      if (cause instanceof TokenVerificationError) throw cause;
      throw new TokenVerificationError("The DPoP proof cannot be verified now: its id cannot be stored", { cause });
    }
    if (typeof isNew !== "boolean")
      throw new TypeError(`dpop.replayStore: add must return whether the id is new, not ${typeof isNew}`);
    return isNew;
  }
}
