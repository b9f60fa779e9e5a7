import { cleanErrorText } from "../../auth/error-text.js";
import { readBounded } from "../../auth/discovery/read-bounded.js";
import type { FetchLike } from "../../http-client/fetch-like.js";
import { raceAbort } from "../../timing/race-abort.js";
import { timerDelay } from "../../timing/timer-delay.js";
import { UpstreamError } from "../upstream-error.js";
import type { UpstreamContext } from "../upstream-provider.js";

/** The largest response of a provider: its metadata, keys, tokens and profiles have a few kilobytes. */
const maxBytes = 512 * 1024;

/**
 * Sends a request to a provider and reads the whole response, within the limits. Does not follow redirects.
 * @returns a response without headers but the content type
 * @throws UpstreamError `unreachable` without a response in time, and for 5xx and 429; `invalid` for redirects, and responses that are too large
 */
export async function boundedRequest(
  url: URL,
  init: RequestInit,
  send: FetchLike | undefined,
  { signal, timeoutMs }: UpstreamContext,
  secrets: readonly string[] = [],
): Promise<Response> {
  const where = `${url.origin}${url.pathname}`;
  const late = new UpstreamError("unreachable", `${where} did not respond within ${timeoutMs} ms`);
  const controller = new AbortController();
  const abort = (): void => controller.abort(late);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  const timer = setTimeout(abort, timerDelay(timeoutMs));
  try {
    controller.signal.throwIfAborted();
    const request: RequestInit = { ...init, redirect: "manual", credentials: "omit", signal: controller.signal };
    const fetching = send ?? ((target: URL, given: RequestInit) => fetch(target, given));
    // A `fetch` of the user may ignore the signal.
    return await raceAbort(controller.signal, read(fetching(url, request), where, controller.signal));
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    // An error of the user's `fetch` may repeat the request, so that it does not become the cause either.
    const reason = cleanErrorText(rootMessage(error), [...secrets, ...valuesOf(init)]) ?? "unknown error";
    throw new UpstreamError("unreachable", `${where} cannot be reached: ${reason}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    // Frees the connection of a response that was not read to its end.
    controller.abort(late);
  }
}

async function read(sent: Promise<Response>, where: string, signal: AbortSignal): Promise<Response> {
  const response = await sent;
  const { status, headers } = response;
  if (response.type === "opaqueredirect" || (status >= 300 && status <= 399))
    throw new UpstreamError("invalid", `${where} redirects, which is not followed: correct the URL of the provider`);
  const text = await readBounded(response, maxBytes, signal);
  if (status >= 500 || status === 429)
    throw new UpstreamError("unreachable", `${where} is unavailable: status ${status}`);
  if (text === undefined) throw new UpstreamError("invalid", `${where} sent more than ${maxBytes} bytes`);
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? text : null, {
    status,
    headers: { "content-type": headers.get("content-type") ?? "application/octet-stream" },
  });
}

/** The credentials in the header and the form of a request, in plain text and as they are encoded. */
function valuesOf({ headers, body }: RequestInit): readonly string[] {
  const [, credentials = ""] = (new Headers(headers).get("authorization") ?? "").split(" ");
  const form = body instanceof URLSearchParams ? body : new URLSearchParams();
  const encoded = form.toString().split(/[&=]/);
  // Shorter ones are not secrets, and would make the message unreadable.
  return [credentials, ...form.values(), ...encoded].filter((value) => value.length >= 16);
}

/** The failure of a connection is the cause of the error that `fetch` throws. */
function rootMessage(error: unknown): string {
  let found = error;
  for (let depth = 0; depth < 5 && found instanceof Error && found.cause instanceof Error; depth++) found = found.cause;
  return found instanceof Error ? found.message : String(found);
}
