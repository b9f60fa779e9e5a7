import { raceAbort } from "../../timing/race-abort.js";

/** Lets one authorization at a time run per issuer: a user gets one log-in page, and the application registers once. */
export class IssuerQueue {
  readonly #last = new Map<string, Promise<void>>();

  /** The number of issuers with an authorization in progress. */
  get size(): number {
    return this.#last.size;
  }

  /**
   * Runs `work` after the earlier work of the issuer.
   * @throws the abort reason of `signal`; the error of `work`
   */
  async run<Value>(issuer: string, signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(issuer);
    const turn = (before ? raceAbort(signal, before) : Promise.resolve()).then(work);
    // Work that is aborted while it waits does not let later work pass the earlier work.
    const done = Promise.all([before, turn.then(ignore, ignore)]).then(ignore);
    this.#last.set(issuer, done);
    try {
      return await turn;
    } finally {
      void done.then(() => {
        if (this.#last.get(issuer) === done) this.#last.delete(issuer);
      });
    }
  }
}

function ignore(): void {
  // The caller of the work gets its error.
}
