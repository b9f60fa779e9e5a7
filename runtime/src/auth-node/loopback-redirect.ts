import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { SdkError } from "../jsonrpc/errors.js";
import { parseUrl } from "../jsonrpc/parse-url.js";
import { timerDelay } from "../timing/timer-delay.js";
import { type CallbackPage, outcomePage, sendPage } from "./callback-page.js";
import { listenOnLoopback } from "./listen-on-loopback.js";

export interface LoopbackRedirectOptions {
  /** The port. Default: 0, any free port. */
  readonly port?: number;
  /** The host name in the redirect URI, for authorization servers that accept only `localhost`. Default: `127.0.0.1`. */
  readonly hostname?: "127.0.0.1" | "localhost";
  /** The path of the redirect URI. Default: `/callback`. */
  readonly path?: string;
  /** The name of the application on the page that the user sees at the end. Default: none. */
  readonly clientName?: string;
}

/** Receives the redirect with which the authorization server ends its part of a log-in (RFC 8252, section 7.3). */
export interface LoopbackRedirect {
  /** The exact redirect URI, for example `http://127.0.0.1:40123/callback`. */
  readonly redirectUri: string;
  /**
   * Waits for the callback. Requests with another path, host or state, or without a result, get an error page and do not end the
   * wait. The user's browser waits for `end`, or for the next wait: it begins when the log-in has to be repeated.
   * @param state of the authorization request; undefined accepts any
   * @returns the URL of the callback, which contains the authorization code
   */
  callback(state: string | undefined, signal: AbortSignal): Promise<URL>;
  /** Shows the user the outcome, and stops listening. Resolves when the page was sent or the browser has gone. Never rejects. */
  end(outcome: "success" | Error): Promise<void>;
}

/** What the redirect waits for. */
interface Wait {
  readonly state: string | undefined;
  readonly resolve: (url: URL) => void;
}

/** The longest time that the page of the outcome may take to arrive in the browser. */
const sendingMs = 2_000;

/**
 * Listens on the loopback interface for the redirect at the end of a log-in. Requests are small and have a few seconds; the
 * server ends with the wait and does not keep the process alive afterwards.
 * @throws SdkError `INVALID_CONFIGURATION` for an invalid path; an error with the code of Node, such as `EADDRINUSE`, and the remedy,
 * when it cannot listen
 */
export async function loopbackRedirect(options: LoopbackRedirectOptions = {}): Promise<LoopbackRedirect> {
  const { port = 0, hostname = "127.0.0.1", path = "/callback", clientName } = options;
  if (!/^\/[\w.~/-]*$/.test(path))
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `path must start with a slash and have no query: "/callback", not ${path}`,
    );

  let wait: Wait | undefined;
  let received: ServerResponse | undefined;
  let isReceived = false;

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const url = callbackUrl(request, redirectUri);
    if (!url) return sendPage(response, notFound);
    if (isReceived) return sendPage(response, repeated);
    if (!wait || !isResult(url) || !hasState(url, wait.state)) return sendPage(response, unexpected);
    isReceived = true;
    received = response;
    wait.resolve(url);
  };
  const server = await listenOnLoopback(hostname, port, serve);
  const redirectUri = `http://${hostname}:${server.port}${path}`;

  return {
    redirectUri,
    callback: (state, signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          wait = undefined;
          reject(signal.reason as Error);
        };
        if (signal.aborted) return stop();
        if (received) sendPage(received, continued);
        received = undefined;
        isReceived = false;
        signal.addEventListener("abort", stop, { once: true });
        wait = {
          state,
          resolve(url) {
            signal.removeEventListener("abort", stop);
            resolve(url);
          },
        };
      }),
    async end(outcome) {
      wait = undefined;
      if (received && !received.destroyed) {
        const response = received;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timerDelay(sendingMs));
          response.once("close", () => {
            clearTimeout(timer);
            resolve();
          });
          sendPage(response, outcomePage(outcome, clientName));
        });
      }
      await server.close();
    },
  };
}

/** The URL of a callback; undefined for other requests. A foreign `Host` comes from a page that has rebound its name to this address. */
function callbackUrl({ method, url = "", headers }: IncomingMessage, redirectUri: string): URL | undefined {
  const expected = new URL(redirectUri);
  if (method !== "GET" || headers.host !== expected.host || !url.startsWith("/")) return undefined;
  const found = parseUrl(`${expected.origin}${url}`);
  return found?.pathname === expected.pathname && found.origin === expected.origin ? found : undefined;
}

/** Whether the URL has the parameters of an authorization response, each once (RFC 6749, section 3.1). */
function isResult({ searchParams }: URL): boolean {
  const count = (name: string): number => searchParams.getAll(name).length;
  return count("code") + count("error") === 1 && count("state") <= 1 && count("iss") <= 1;
}

/** Compares in constant time. @param state undefined accepts any */
export function hasState({ searchParams }: URL, state: string | undefined): boolean {
  if (state === undefined) return true;
  const [found, expected] = [Buffer.from(searchParams.get("state") ?? ""), Buffer.from(state)];
  return found.length === expected.length && timingSafeEqual(found, expected);
}

const notFound: CallbackPage = { status: 404, title: "Not found", text: "This page does not exist." };
const repeated: CallbackPage = {
  status: 400,
  title: "The log-in was already received",
  text: "You can close this page and return to the application.",
};
const continued: CallbackPage = {
  status: 200,
  title: "The log-in continues on another page",
  text: "The authorization server wants you to log in once more. You can close this page.",
};
const unexpected: CallbackPage = {
  status: 400,
  title: "This page does not belong to a log-in",
  text: "The address is not the one that the application waits for. Return to the application and start the log-in again.",
};
