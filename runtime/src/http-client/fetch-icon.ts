import { SdkError } from "../jsonrpc/errors.js";
import { parseUrl } from "../jsonrpc/parse-url.js";
import { assertNumberOptions } from "../options/assert-options.js";
import { timerDelay } from "../timing/timer-delay.js";
import { httpError, reasonOf } from "./http-error.js";
import { detectImageType, type ImageType } from "./image-type.js";
import type { FetchLike } from "./fetch-like.js";
import { discard } from "./response-body.js";

export interface FetchIconOptions {
  /**
   * The origin of the server, such as `https://example.com`: icons of other origins are refused. `data:` URIs have no origin,
   * and are accepted. Default: all origins.
   */
  readonly origin?: string | URL;
  /** The most bytes of the image. Default: 262,144 (256 KiB). */
  readonly maxBytes?: number;
  /** The types to accept. An SVG can contain scripts: show it with `<img>` only. Default: PNG and JPEG. */
  readonly types?: readonly ImageType[];
  /** Milliseconds until the image must be complete. Default: 10,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Sends requests, also to the servers of redirects. Default: the global `fetch`. */
  readonly fetch?: FetchLike;
}

const maxRedirects = 3;

/**
 * Fetches an icon that a server names, without cookies, credentials and referrer. Redirects are followed within the origin; in
 * browsers, which hide their target, none is. The type is detected by the first bytes and must be the one that the icon and the
 * response declare, if they declare one. The size in pixels is not checked.
 *
 * Without `origin`, a server can make this program send a GET request to any `https:` URL, also in your network.
 * @returns the image; its `type` is the detected one
 * @throws SdkError `INVALID_MESSAGE` for another scheme, origin or type; `LIMIT_EXCEEDED` for too many bytes; `HTTP_ERROR` for a
 * status that is not 2xx, and for redirects that are not followed; `SEND_FAILED` without a response; `REQUEST_TIMEOUT`
 * @throws SdkError `INVALID_CONFIGURATION` when `maxBytes` or `timeoutMs` is invalid
 * @example
 * ```ts
 * const image = await fetchIcon({ src: "https://example.com/icon.png" }, { origin: "https://example.com" });
 * const shown = URL.createObjectURL(image);
 * ```
 */
export async function fetchIcon(
  icon: { readonly src: string; readonly mimeType?: string | undefined },
  options: FetchIconOptions = {},
): Promise<Blob> {
  assertNumberOptions(options);
  const { maxBytes = 2 ** 18, types = ["image/png", "image/jpeg"], timeoutMs = 10_000 } = options;
  const late = AbortSignal.timeout(timerDelay(timeoutMs));
  const signal = options.signal ? AbortSignal.any([options.signal, late]) : late;
  try {
    const response = await follow(sourceOf(icon.src, options.origin), options, signal);
    const image = await readImage(response, maxBytes);
    const mimeType = detectImageType(new Uint8Array(await image.slice(0, 1_024).arrayBuffer()));
    if (!mimeType || !types.includes(mimeType))
      throw refused(icon.src, `it is ${mimeType ?? "not an image of a known type"}; accepted are ${types.join(", ")}`);
    const contentType = response.headers.get("content-type");
    for (const declared of [icon.mimeType, contentType]) {
      const type = declared?.split(";", 1)[0]?.trim().toLowerCase().replace("/jpg", "/jpeg");
      if (type && type !== mimeType) throw refused(icon.src, `it is declared as ${type}, but is ${mimeType}`);
    }
    return image.slice(0, image.size, mimeType);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (late.aborted)
      throw new SdkError("REQUEST_TIMEOUT", `an icon was not complete after ${timeoutMs} ms`, { src: icon.src });
    if (error instanceof SdkError) throw error;
    throw new SdkError("SEND_FAILED", `an icon could not be fetched: ${reasonOf(error)}`, undefined, { cause: error });
  }
}

function refused(src: string, why: string): SdkError {
  return new SdkError("INVALID_MESSAGE", `the icon ${src.slice(0, 200)} is refused: ${why}`, { src });
}

function sourceOf(src: string, origin: string | URL | undefined): URL {
  // Relative URLs and control characters before the scheme are refused, although URL parsers repair them.
  if (!/^(https|data):/i.test(src)) throw refused(src, "its src must begin with https: or data:");
  const url = parseUrl(src);
  if (!url) throw refused(src, "its src is not a URL");
  if (url.username || url.password) throw refused(src, "its src contains a user name or a password");
  if (url.protocol !== "data:" && origin !== undefined && url.origin !== new URL(origin).origin)
    throw refused(src, `its origin is not ${new URL(origin).origin}`);
  return url;
}

async function follow(url: URL, options: FetchIconOptions, signal: AbortSignal): Promise<Response> {
  const init: RequestInit = { credentials: "omit", redirect: "manual", referrerPolicy: "no-referrer", signal };
  // A `fetch` of the user may support https: only.
  const send: FetchLike =
    (url.protocol === "data:" ? undefined : options.fetch) ?? ((target, how) => fetch(target, how));
  for (let redirects = 0; ; redirects++) {
    const response = await send(url, init);
    if (response.ok) return response;
    discard(response);
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) throw httpError("GET", url, response, "");
    const target = parseUrl(location, url);
    if (redirects === maxRedirects) throw httpError("GET", url, response, "", "redirects too often");
    if (target?.origin !== url.origin || target.username || target.password)
      throw httpError("GET", url, response, "", "redirects to another origin, which is not followed");
    url = target;
  }
}

async function readImage({ body }: Response, maxBytes: number): Promise<Blob> {
  const parts: BlobPart[] = [];
  let length = 0;
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return new Blob(parts);
    length += value.byteLength;
    if (length > maxBytes) {
      void reader?.cancel().catch(() => undefined);
      throw new SdkError("LIMIT_EXCEEDED", `an icon is longer than ${maxBytes} bytes`);
    }
    parts.push(value);
  }
}
