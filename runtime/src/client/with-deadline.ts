import type { CallOptions } from "../connection/call-options.js";
import { SdkError } from "../jsonrpc/errors.js";
import { raceAbort } from "../timing/race-abort.js";
import { timerDelay } from "../timing/timer-delay.js";

/**
 * Runs work that may need the user, until it is complete or no longer needed. Its signal is aborted when the caller aborts,
 * when the connection or the time ends, and when part of the work fails. The call then rejects at once.
 * @param end when the time ends, by `performance.now()`
 * @throws SdkError `REQUEST_TIMEOUT`; the reason of the abort; errors of `work`
 */
export async function withDeadline<Value>(
  method: string,
  closeSignal: AbortSignal,
  { signal, maxTotalMs }: CallOptions,
  end: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const stop = (): void => controller.abort((signal?.aborted ? signal : closeSignal).reason);
  for (const source of [closeSignal, signal]) source?.throwIfAborted();
  const timeoutError = (): SdkError =>
    new SdkError("REQUEST_TIMEOUT", `${method} did not complete in time`, { maxTotalMs });
  const left = end - performance.now();
  if (left <= 0) throw timeoutError();
  const timer = setTimeout(() => controller.abort(timeoutError()), timerDelay(left));
  for (const source of [closeSignal, signal]) source?.addEventListener("abort", stop);
  try {
    return await raceAbort(controller.signal, work(controller.signal));
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
    for (const source of [closeSignal, signal]) source?.removeEventListener("abort", stop);
  }
}
