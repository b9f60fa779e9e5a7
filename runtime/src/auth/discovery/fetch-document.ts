import type { FetchLike } from "../../http-client/fetch-like.js";
import { reasonOf } from "../../http-client/http-error.js";
import { discard } from "../../http-client/response-body.js";
import { isObject } from "../../jsonrpc/guards.js";
import { parseJson } from "../../jsonrpc/parse-json.js";
import { parseUrl } from "../../jsonrpc/parse-url.js";
import { raceAbort } from "../../timing/race-abort.js";
import { timerDelay } from "../../timing/timer-delay.js";
import { AuthorizationError } from "../auth-errors.js";
import { mayBeHidden, withoutBrowserState } from "./page-origin.js";
import { readBounded } from "./read-bounded.js";
import { assertSecureUrl, describeUrl } from "./secure-url.js";

/** How documents are fetched. */
export interface DocumentRequest {
  readonly fetch: FetchLike;
  /** Milliseconds until the document must be complete, redirects included. */
  readonly timeoutMs: number;
  /** The most bytes of a document, after decompression. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FetchedDocument {
  /** The URL of the document: the last one when there were redirects. */
  readonly url: URL;
  readonly status: number;
  /** Undefined when there is no document: the status is not 200, or the response is a web page. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

const maxRedirects = 3;
/** Metadata is flat. Code that walks through it may be recursive. */
const jsonLimits = { maxDepth: 20, maxValues: 50_000 };

/**
 * Fetches a JSON object without cookies and credentials. Follows at most 3 redirects, each to a URL that `assertSecureUrl`
 * accepts; in browsers, which hide their target, none.
 * @throws AuthorizationError `insecure-url`, also for redirects; `unreachable` without a response, with `status` 0 when a
 * browser may hide it; `metadata-invalid` when the document is not a JSON object, is too large or too deeply nested
 * @throws the abort reason of `signal`
 */
export async function fetchDocument(url: URL, request: DocumentRequest): Promise<FetchedDocument> {
  const { signal, timeoutMs } = request;
  const where = `GET ${describeUrl(url)}`;
  assertSecureUrl(url, "the URL of a metadata document,");
  signal.throwIfAborted();
  const end = new AbortController();
  const stop = (): void => end.abort(signal.reason);
  signal.addEventListener("abort", stop);
  const late = (): void =>
    end.abort(new AuthorizationError("unreachable", `${where}: the response was not complete after ${timeoutMs} ms`));
  const timer = setTimeout(late, timerDelay(timeoutMs));
  try {
    return await fetchWithin(url, request, end.signal);
  } catch (error) {
    end.signal.throwIfAborted();
    if (error instanceof AuthorizationError) throw error;
    // The browser hides also a response with status 404.
    const data = mayBeHidden(url, error) ? { status: 0 } : {};
    throw new AuthorizationError("unreachable", `${where}: ${reasonOf(error)}`, data, { cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

async function fetchWithin(start: URL, request: DocumentRequest, signal: AbortSignal): Promise<FetchedDocument> {
  const { response, url } = await follow(start, request, signal);
  const { status, headers } = response;
  const type = headers.get("content-type") ?? "";
  // Many sites respond to each unknown path with their start page.
  if (status !== 200 || /\bx?html\b/i.test(type)) {
    discard(response);
    return { url, status, body: undefined };
  }
  return { url, status, body: parseDocument(url, await readBounded(response, request.maxBytes, signal)) };
}

async function follow(
  start: URL,
  { fetch, headers }: DocumentRequest,
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly url: URL }> {
  const init: RequestInit = {
    method: "GET",
    headers: { accept: "application/json", ...headers },
    redirect: "manual",
    signal,
    ...withoutBrowserState(),
  };
  let url = start;
  for (let redirects = 0; ; redirects++) {
    const response = await raceAbort(signal, fetch(url, init));
    if (response.type !== "opaqueredirect" && ![301, 302, 303, 307, 308].includes(response.status))
      return { response, url };
    discard(response);
    const location = response.headers.get("location");
    const target = location === null ? undefined : parseUrl(location, url);
    if (!target || redirects >= maxRedirects)
      throw new AuthorizationError(
        "metadata-invalid",
        `GET ${describeUrl(url)}: ${target ? `more than ${maxRedirects} redirects` : "redirects to an unknown URL"}; the metadata must be served there`,
        { status: response.status },
      );
    assertSecureUrl(target, `GET ${describeUrl(start)}: the target of a redirect,`, url);
    url = target;
  }
}

function parseDocument(url: URL, text: string | undefined): Readonly<Record<string, unknown>> {
  const refuse = (why: string): never => {
    throw new AuthorizationError("metadata-invalid", `GET ${describeUrl(url)}: the document ${why}`, { status: 200 });
  };
  if (text === undefined) return refuse("is larger than the option maxDocumentBytes allows");
  try {
    const { value, problem } = parseJson(text, jsonLimits);
    if (problem !== undefined) return refuse("has too many values, or is nested too deeply");
    return isObject(value) ? value : refuse("is not a JSON object");
  } catch (error) {
    if (error instanceof SyntaxError) return refuse("is not JSON");
    throw error;
  }
}
