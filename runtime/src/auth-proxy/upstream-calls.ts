import { reasonOf } from "../http-client/http-error.js";
import { raceAbort } from "../timing/race-abort.js";
import { timerDelay } from "../timing/timer-delay.js";
import { UpstreamError } from "./upstream-error.js";
import type { UpstreamContext, UpstreamProvider } from "./upstream-provider.js";

/** Requests that one call may need: metadata, token, keys, profile. */
const requestsPerCall = 3;

/**
 * Calls a provider, for at most three times the limit of a request.
 * @throws UpstreamError `unreachable` after the time, `invalid` for other errors of a provider
 */
export async function callUpstream<Result>(
  provider: UpstreamProvider,
  timeoutMs: number,
  call: (context: UpstreamContext) => Result | Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const limit = timeoutMs * requestsPerCall;
  const late = new UpstreamError("unreachable", `${provider.name} did not respond within ${limit} ms`);
  const timer = setTimeout(() => controller.abort(late), timerDelay(limit));
  try {
    // A provider of the user may ignore the signal.
    return await raceAbort(controller.signal, Promise.resolve(call({ signal: controller.signal, timeoutMs })));
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    throw new UpstreamError("invalid", `the provider ${provider.name} failed: ${reasonOf(error)}`);
  } finally {
    clearTimeout(timer);
    controller.abort(late);
  }
}
