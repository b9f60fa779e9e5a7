import { SdkError } from "../jsonrpc/errors.js";
import { deferred } from "../timing/deferred.js";

/** The `connect` of a client that is in progress: `close` aborts it and waits for its end. */
export class ConnectInProgress {
  #current: { readonly calledOff: AbortController; readonly over: Promise<void> } | undefined;

  get isRunning(): boolean {
    return this.#current !== undefined;
  }

  /** @param open gets the signal that `callOff` aborts. A transport may close the client as soon as it starts */
  run<Opened>(open: (closed: AbortSignal) => Promise<Opened>): Promise<Opened> {
    const { promise: over, resolve: end } = deferred();
    const calledOff = new AbortController();
    this.#current = { calledOff, over };
    return open(calledOff.signal).finally(() => {
      this.#current = undefined;
      end();
    });
  }

  /** Aborts it, and resolves when it has ended. */
  async callOff(): Promise<void> {
    const { calledOff, over } = this.#current ?? {};
    calledOff?.abort(new SdkError("REQUEST_CANCELLED", "the client was closed while it connected"));
    await over;
  }
}
