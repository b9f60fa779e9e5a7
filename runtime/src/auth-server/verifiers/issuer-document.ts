import { parseJsonObject } from "../../jsonrpc/parse-json-object.js";
import { describeUrl } from "../../auth/discovery/secure-url.js";
import { readBounded } from "../../auth/discovery/read-bounded.js";
import type { FetchLike } from "../../http-client/fetch-like.js";
import { reasonOf } from "../../http-client/http-error.js";
import { discard } from "../../http-client/response-body.js";
import { raceAbort } from "../../timing/race-abort.js";

/** How documents of an issuer are requested. */
export interface IssuerRequest {
  readonly fetch: FetchLike;
  /** The largest document, in bytes after decompression. */
  readonly maxBytes: number;
  /** Ends the request, also its body. */
  readonly signal: AbortSignal;
}

/** A document was not found, or is not valid. */
export class IssuerDocumentError extends Error {
  override readonly name = "IssuerDocumentError";

  /** @param isMissing whether the server has no such document: another URL may have it */
  constructor(
    message: string,
    readonly isMissing: boolean,
  ) {
    super(message);
  }
}

/** Request Timeout, Too Early, Too Many Requests: unlike other 4xx, they say nothing about the document. */
const retryLater: readonly number[] = [408, 425, 429];
const jsonLimits = { maxDepth: 20, maxValues: 50_000 };

/**
 * Requests a JSON object of an issuer, once and without redirects: the document must be at its own URL.
 * @throws IssuerDocumentError; the abort reason of `signal`
 */
export async function fetchIssuerDocument(
  url: URL,
  { fetch, maxBytes, signal }: IssuerRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const fail = (why: string, isMissing: boolean): IssuerDocumentError =>
    new IssuerDocumentError(`GET ${describeUrl(url)}: ${why}`, isMissing);
  let text: string | undefined;
  try {
    const init: RequestInit = { method: "GET", headers: { accept: "application/json" }, redirect: "manual", signal };
    const response = await raceAbort(signal, fetch(url, init));
    const { status, type } = response;
    if (status !== 200) {
      discard(response);
      if (type === "opaqueredirect" || (status >= 300 && status < 400))
        throw fail("redirects, which is not followed; the document must be served there", true);
      throw fail(`status ${status}`, status < 500 && !retryLater.includes(status));
    }
    text = await readBounded(response, maxBytes, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof IssuerDocumentError ? error : fail(reasonOf(error), false);
  }
  if (text === undefined) throw fail(`the document is larger than ${maxBytes} bytes (option maxDocumentBytes)`, true);
  const value = parseJsonObject(text, jsonLimits);
  if (value) return value;
  throw fail("the document is not a JSON object, or has too many members", true);
}
