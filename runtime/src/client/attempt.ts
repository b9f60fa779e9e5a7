import { SdkError } from "../engine/errors.js";
import { latch } from "../engine/latch.js";

/** A connection that is being opened. */
export class Attempt {
  readonly #controller = new AbortController();
  readonly #over = latch();

  /** Aborted when it is called off. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** It has led to a connection, or has failed. */
  end(): void {
    this.#over.open();
  }

  /** Resolves when it is over. */
  callOff(): Promise<void> {
    this.#controller.abort(new SdkError("REQUEST_CANCELLED", "the client was closed while it connected"));
    return this.#over.opened;
  }
}
