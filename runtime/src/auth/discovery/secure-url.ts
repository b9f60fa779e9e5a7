import { parseUrl } from "../../jsonrpc/parse-url.js";
import { AuthorizationError } from "../auth-errors.js";

/**
 * Checks a URL to which this client sends requests, or the user's browser. It must be https; http is accepted for this
 * machine (`localhost`, `127.0.0.0/8`, `::1`). It must not contain a user name or a password.
 * @param what names the URL in messages, such as `the token endpoint`
 * @param namedBy the URL of the document or server that names it: another machine must not name URLs of this one
 * @throws AuthorizationError `insecure-url`
 */
export function assertSecureUrl(url: URL, what: string, namedBy?: URL): void {
  const refuse = (why: string): never => {
    throw new AuthorizationError("insecure-url", `${what} ${describeUrl(url)} ${why}`);
  };
  const isLoopback = isLoopbackUrl(url);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback))
    refuse("must begin with https: (http: is accepted for localhost only)");
  if (url.username || url.password) refuse("must not contain a user name or a password");
  if (isLoopback && namedBy && !isLoopbackUrl(namedBy))
    refuse(`is on this machine, but ${namedBy.host}, which names it, is not`);
}

/**
 * Parses the URL that a document or server names.
 * @throws AuthorizationError `metadata-invalid` when it is not an absolute URL
 */
export function parseNamedUrl(text: unknown, what: string, namedBy: URL): URL {
  // URL parsers remove white space and control characters, but the text is also sent and compared as it is.
  const url = typeof text === "string" && /^[\x21-\x7e]+$/.test(text) ? parseUrl(text) : undefined;
  if (url) return url;
  throw new AuthorizationError(
    "metadata-invalid",
    `${what}, which ${namedBy.host} names, must be an absolute URL, not ${typeof text === "string" ? shorten(text) : typeof text}`,
  );
}

/** Parses a URL, and checks it like `assertSecureUrl`. @throws AuthorizationError `metadata-invalid`, `insecure-url` */
export function parseSecureUrl(text: unknown, what: string, namedBy: URL): URL {
  const url = parseNamedUrl(text, what, namedBy);
  assertSecureUrl(url, what, namedBy);
  return url;
}

/** Whether the host of a URL is this machine, by its name: names of other hosts can lead there, too. */
export function isLoopbackUrl({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** A URL for messages: without query and fragment, which may contain secrets, and cut off when it is long. */
export function describeUrl({ protocol, host, pathname }: URL): string {
  return shorten(host ? `${protocol}//${host}${pathname}` : `${protocol}${pathname}`);
}

/** A text of another program for messages: cut off when it is long, and without characters that control terminals. */
export function shorten(text: string): string {
  const shown = text.slice(0, 200).replace(/[^\x20-\x7e]/g, "?");
  return text.length > 200 ? `${shown}…` : shown;
}
