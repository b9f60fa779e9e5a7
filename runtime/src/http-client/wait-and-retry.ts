import { raceAbort } from "../timing/race-abort.js";
import { timerDelay } from "../timing/timer-delay.js";
import { discard } from "./response-body.js";

const maxRetries = 5;
/** A server that names no time to wait must not be asked without a pause. */
const minDelayMs = 100;

/**
 * Sends a request again after the time that the server names in `Retry-After` (RFC 9110, section 10.2.3), if nothing of it was carried
 * out: with status 429, or with 503 from the server itself. A proxy may respond with 503 after it has passed the request on, and a POST must
 * not be repeated then (RFC 9110, section 9.2.2).
 * @param maxWaitMs the longest time to wait for all retries together; the response that asks for more is returned
 * @param isRefusal whether the server itself has sent the response; the body stays unread
 */
export async function waitAndRetry(
  send: () => Promise<Response>,
  maxWaitMs: number,
  signal: AbortSignal,
  isRefusal: (response: Response) => Promise<boolean>,
): Promise<Response> {
  let waitedMs = 0;
  for (let retries = 0; ; retries++) {
    const response = await send();
    const delayMs = retryDelay(response);
    if (delayMs === undefined || retries >= maxRetries || waitedMs + delayMs > maxWaitMs) return response;
    if (response.status === 503 && !(await isRefusal(response))) return response;
    discard(response);
    waitedMs += delayMs;
    await pause(delayMs, signal);
  }
}

/** The milliseconds after which a refused request may be sent again; undefined when it was not refused, or no time is named. */
function retryDelay({ status, headers }: Response): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const value = headers.get("retry-after")?.trim() ?? "";
  // Dates begin with the day of the week; of other texts, engines read some as dates.
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(/^[a-z]/i.test(value) ? value : "") - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, minDelayMs);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, timerDelay(ms))));
  try {
    await raceAbort(signal, over);
  } finally {
    clearTimeout(timer);
  }
}
