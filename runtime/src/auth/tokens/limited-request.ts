import { reasonOf } from "../../http-client/http-error.js";
import { raceAbort } from "../../timing/race-abort.js";
import { timerDelay } from "../../timing/timer-delay.js";
import { AuthorizationError } from "../auth-errors.js";
import { cleanErrorText } from "../error-text.js";
import { mayBeHidden, withoutBrowserState } from "../discovery/page-origin.js";
import { readBounded } from "../discovery/read-bounded.js";
import type { OAuthOptions } from "../oauth-options.js";

/** A response whose body has been read. */
export interface ReadResponse {
  readonly response: Response;
  readonly text: string;
}

/** The limits of one request to an authorization server. */
export interface RequestLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export function requestLimits({ timeoutMs = 10_000, maxDocumentBytes = 256 * 1024 }: OAuthOptions): RequestLimits {
  return { timeoutMs, maxBytes: maxDocumentBytes };
}

/**
 * Sends a request that carries credentials, and reads the whole response, within the limits. Does not follow redirects.
 * @param init has no signal; the request is aborted by `signal` and by the time limit
 * @param secrets what the request contains and no message may show
 * @throws AuthorizationError `unreachable`, `token-invalid` for a redirect or a response that is too large; the reason of `signal`
 */
export async function limitedRequest(
  url: URL,
  init: RequestInit,
  options: OAuthOptions,
  secrets: readonly string[],
  signal: AbortSignal,
): Promise<ReadResponse> {
  const where = `${url.origin}${url.pathname}`;
  const { timeoutMs, maxBytes } = requestLimits(options);
  const late = new AuthorizationError("unreachable", `${where} did not respond within ${timeoutMs} ms`);
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  const timer = setTimeout(() => controller.abort(late), timerDelay(timeoutMs));
  const send = options.fetch ?? ((target, given) => fetch(target, given));
  try {
    controller.signal.throwIfAborted();
    const request: RequestInit = { ...init, ...withoutBrowserState(), redirect: "manual", signal: controller.signal };
    // A `fetch` of the user may ignore the signal.
    return await raceAbort(controller.signal, readResponse(send(url, request), maxBytes, where, controller.signal));
  } catch (error) {
    controller.signal.throwIfAborted();
    if (error instanceof AuthorizationError) throw error;
    // No cause: an error of the user's `fetch` may contain the request.
    const reason = cleanErrorText(reasonOf(error), secrets) ?? "unknown error";
    const hint = mayBeHidden(url, error)
      ? "; a browser hides responses of servers that do not allow the page (CORS)"
      : "";
    throw new AuthorizationError("unreachable", `${where} cannot be reached: ${reason}${hint}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    // Frees the connection of a response that was not read to its end.
    controller.abort(late);
  }
}

async function readResponse(
  sent: Promise<Response>,
  maxBytes: number,
  where: string,
  signal: AbortSignal,
): Promise<ReadResponse> {
  const response = await sent;
  const { status, type } = response;
  if (type === "opaqueredirect" || (status >= 300 && status <= 399))
    throw new AuthorizationError(
      "token-invalid",
      `${where} redirects; requests with credentials are not redirected: correct the endpoint in the metadata of the authorization server`,
      { status },
    );
  const text = await readBounded(response, maxBytes, signal);
  if (text !== undefined) return { response, text };
  throw new AuthorizationError("token-invalid", `${where} sent more than ${maxBytes} bytes (option maxDocumentBytes)`, {
    status,
  });
}
