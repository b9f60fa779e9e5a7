import { connectionClosedError } from "../../jsonrpc/error-conversion.js";
import { ErrorCode, ProtocolError, SdkError } from "../../jsonrpc/errors.js";
import { deadlineTimer, type HasDeadlines } from "../../timing/deadline-timer.js";
import type { ServerConnection, SuspendedCall, SuspendedCallStore } from "../contracts.js";
import type { SuspensionOptions } from "../suspension-options.js";

/** The handlers of this process that wait for input responses in a later request. */
export class SuspendedCalls implements SuspendedCallStore, HasDeadlines {
  readonly #calls = new Map<
    string,
    { readonly run: SuspendedCall; readonly due: number; readonly leave: (() => void) | undefined }
  >();

  constructor(readonly options: SuspensionOptions = {}) {}

  /** @throws ProtocolError -32603 when the limit is reached */
  add(id: string, call: SuspendedCall): void {
    const { max = 1_000, ttlMs = 900_000 } = this.options;
    // The transport may make room by ending older calls.
    const leave = call.context.extra?.suspend?.(() =>
      call.abort(new SdkError("LIMIT_EXCEEDED", "the call gave way to a newer one that waits for input")),
    );
    if (this.#calls.size >= max) {
      leave?.();
      throw new ProtocolError(ErrorCode.InternalError, "Too many requests wait for input");
    }
    const due = performance.now() + ttlMs;
    this.#calls.set(id, { run: call, due, leave });
    deadlineTimer.schedule(this, due);
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Removes a waiting handler and returns it, so that only one request can resume it. */
  take(id: string): SuspendedCall | undefined {
    const entry = this.#calls.get(id);
    this.#calls.delete(id);
    entry?.leave?.();
    return entry?.run;
  }

  expireDue(now: number): number {
    for (const [id, { run: call, due }] of this.#calls) {
      if (due > now) return due;
      this.take(id);
      call.abort(new SdkError("REQUEST_TIMEOUT", "the client did not send its input responses in time"));
    }
    return Infinity;
  }

  /** Aborts the waiting handlers of a closed connection: no other client can send the responses. */
  abortAll(connection: ServerConnection, cause: Error | undefined): void {
    for (const { run: call } of this.#calls.values())
      if (call.context.connection === connection) call.abort(connectionClosedError(cause));
  }
}
