import { timerMs } from "../engine/timer-ms.js";
import { SdkError } from "../engine/errors.js";
import type { CallOptions } from "../engine/pending.js";
import { unlessAborted } from "../engine/unless-aborted.js";

/**
 * Has people do something, for as long as somebody waits for it: the signal is aborted when the caller gives up, when the
 * connection or the time ends, and when some of it fails. Nobody waits for what takes its time to notice.
 * @param end when the time ends, of `performance.now()`
 * @throws SdkError `REQUEST_TIMEOUT`; the reason of the abort; whatever `work` fails with
 */
export async function attended<Value>(
  method: string,
  over: AbortSignal,
  { signal, maxTotalMs }: CallOptions,
  end: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const stop = (): void => controller.abort((signal?.aborted ? signal : over).reason);
  for (const source of [over, signal]) source?.throwIfAborted();
  const late = (): SdkError => new SdkError("REQUEST_TIMEOUT", `${method} was not complete in time`, { maxTotalMs });
  const left = end - performance.now();
  if (left <= 0) throw late();
  const timer = setTimeout(() => controller.abort(late()), timerMs(left));
  for (const source of [over, signal]) source?.addEventListener("abort", stop);
  try {
    return await unlessAborted(controller.signal, work(controller.signal));
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
    for (const source of [over, signal]) source?.removeEventListener("abort", stop);
  }
}
