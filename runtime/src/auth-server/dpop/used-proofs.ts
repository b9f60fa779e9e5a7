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
   * @returns whether it is the first use; a promise only when the store waits
   * @throws TokenVerificationError when the store fails, or takes too long
   */
  use(keyThumbprint: string, id: string, expiresAt: number): boolean | Promise<boolean> {
    let added: unknown;
    try {
      added = this.#store.add(`${keyThumbprint}.${id}`, expiresAt, keyThumbprint);
    } catch (error) {
      throw storeError(error);
    }
    return isPromiseLike(added) ? this.#wait(added) : answerOf(added);
  }

  async #wait(added: PromiseLike<unknown>): Promise<boolean> {
    const late = (): Error =>
      new TokenVerificationError(
        `The DPoP proof cannot be verified now: its id was not stored within ${this.#timeoutMs} ms`,
      );
    const isNew = await withTimeLimit(added, this.#timeoutMs, late).catch((error: unknown) => {
      throw storeError(error);
    });
    return answerOf(isNew);
  }
}

function storeError(cause: unknown): TokenVerificationError {
  return cause instanceof TokenVerificationError
    ? cause
    : new TokenVerificationError("The DPoP proof cannot be verified now: its id cannot be stored", { cause });
}

/** @throws TypeError when a store of the user returned something else */
function answerOf(isNew: unknown): boolean {
  if (typeof isNew === "boolean") return isNew;
  throw new TypeError(`dpop.replayStore: add must return whether the id is new, not ${typeof isNew}`);
}
