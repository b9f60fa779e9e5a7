import { AuthorizationError } from "../auth.js";
import type { ActiveInteraction, AuthorizationInteraction, InteractionContext } from "../auth.js";
import { SdkError } from "../jsonrpc/errors.js";
import { parseUrl } from "../jsonrpc/parse-url.js";
import { raceAbort } from "../timing/race-abort.js";
import { timerDelay } from "../timing/timer-delay.js";
import {
  hasState,
  loopbackRedirect,
  type LoopbackRedirect,
  type LoopbackRedirectOptions,
} from "./loopback-redirect.js";
import { openBrowser } from "./open-browser.js";
import { hasCode } from "./store-failure.js";

/** How the user sees the authorization page, and how the callback comes back. */
export interface LoopbackInteractionOptions extends LoopbackRedirectOptions {
  /**
   * Shows the page. Default: `openBrowser`.
   * @returns false when it cannot; then the URL is printed as the only way
   */
  readonly openUrl?: (url: URL) => boolean | Promise<boolean>;
  /** Prints a line for the user. Default: writes it to standard error. */
  readonly print?: (line: string) => void;
  /**
   * Asks the user for the callback URL when `openUrl` has returned false: the user's browser may run on another machine, which
   * cannot reach this one. The log-in goes on with what comes first, the answer or the callback. Default: does not ask.
   * @param signal aborted when the answer is no longer needed
   * @returns undefined when the user gives no answer
   */
  readonly ask?: (question: string, signal: AbortSignal) => Promise<string | undefined>;
  /** Milliseconds that the user has to log in. Default: 300,000. */
  readonly loginTimeoutMs?: number;
}

/** Shows the authorization page in the browser, and receives the callback on the loopback interface. */
export class LoopbackInteraction implements AuthorizationInteraction {
  constructor(private readonly options: LoopbackInteractionOptions) {}

  async begin({ signal, registeredRedirectUris }: InteractionContext): Promise<ActiveInteraction> {
    const { loginTimeoutMs = 300_000 } = this.options;
    signal.throwIfAborted();
    const redirect = await openRedirect(registeredRedirectUris, this.options).catch((error: unknown) => {
      if (error instanceof SdkError) throw error;
      const { message } = error as Error;
      throw new AuthorizationError("callback-unavailable", `the callback of the log-in cannot be received: ${message}`);
    });
    if (signal.aborted) {
      // The caller has stopped to wait, and will not end what it has not received.
      await redirect.end(signal.reason as Error);
      throw signal.reason;
    }
    const end = new AbortController();
    const stop = (): void => end.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const timer = setTimeout(() => {
      const message = `the log-in was not finished within ${loginTimeoutMs / 1_000} s; start it again`;
      end.abort(new AuthorizationError("abandoned", message));
    }, timerDelay(loginTimeoutMs));
    return {
      redirectUri: redirect.redirectUri,
      authorize: (url) => this.#authorize(url, redirect, end.signal),
      async end(outcome) {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        end.abort(new AuthorizationError("abandoned", "the log-in has ended"));
        await redirect.end(outcome);
      },
    };
  }

  async #authorize(url: URL, redirect: LoopbackRedirect, signal: AbortSignal): Promise<URL> {
    const { openUrl = openBrowser, print = printToStderr, ask } = this.options;
    const state = url.searchParams.get("state") ?? undefined;
    const received = new AbortController();
    try {
      const callback = redirect.callback(state, AbortSignal.any([signal, received.signal]));
      callback.catch(() => undefined);
      const isOpen = await raceAbort(signal, Promise.resolve(openUrl(url)));
      print(isOpen ? "Log in on the page that opens in your browser. If none opens, visit:" : "To log in, visit:");
      print(url.href);
      if (isOpen || !ask) return await callback;
      const typed = this.#askCallback(redirect.redirectUri, state, AbortSignal.any([signal, received.signal]));
      const found = await Promise.race([callback, typed]);
      print("The log-in goes on.");
      return found;
    } finally {
      received.abort(new AuthorizationError("abandoned", "the callback has arrived"));
    }
  }

  /** Repeats the question until the answer is the callback of this log-in. Without an answer, never resolves. */
  async #askCallback(redirectUri: string, state: string | undefined, signal: AbortSignal): Promise<URL> {
    const { ask, print = printToStderr } = this.options;
    const question =
      "If the browser runs on another machine, it ends on a page that cannot be shown: paste the address of that page here: ";
    for (;;) {
      const typed = await ask?.(question, signal).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      signal.throwIfAborted();
      if (typed === undefined) return raceAbort(signal, new Promise<never>(() => undefined));
      if (typed.trim() === "") continue;
      const url = parseUrl(typed.trim());
      if (url && isCallback(url, redirectUri, state)) return url;
      print(`This is not the address at the end of this log-in; it begins with ${redirectUri}?`);
    }
  }
}

/** Listens on the port of a stored registration if possible, so that the client need not be registered again. */
async function openRedirect(
  registered: readonly string[],
  options: LoopbackInteractionOptions,
): Promise<LoopbackRedirect> {
  const { port = 0, hostname = "127.0.0.1", path = "/callback", clientName } = options;
  const fixed = { hostname, path, ...(clientName !== undefined && { clientName }) };
  if (port !== 0) return loopbackRedirect({ ...fixed, port });
  for (const uri of registered) {
    const url = parseUrl(uri);
    if (!url || uri !== `http://${hostname}:${url.port}${path}`) continue;
    try {
      return await loopbackRedirect({ ...fixed, port: Number(url.port) });
    } catch (error) {
      // Another log-in, or another program, has the port.
      if (!hasCode(error, "EADDRINUSE", "EACCES")) throw error;
    }
  }
  return loopbackRedirect(fixed);
}

function isCallback(url: URL, redirectUri: string, state: string | undefined): boolean {
  return `${url.origin}${url.pathname}` === redirectUri && hasState(url, state);
}

function printToStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}
