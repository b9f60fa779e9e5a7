import { parseUrl } from "../jsonrpc/parse-url.js";

/**
 * Normalizes a URI as `new URL` does, because peers may parse a listed URI and request the result. Returns other strings
 * unchanged.
 */
export function normalUri(uri: string): string {
  return parseUrl(uri)?.href ?? uri;
}

/** Whether `uri` is `place` or lies below it, by whole segments of the path; both must be normalized. */
export function isSameOrBelow(uri: string, place: string): boolean {
  return (
    uri.startsWith(place) &&
    (uri.length === place.length || place.endsWith("/") || /^[/?#]/.test(uri.slice(place.length)))
  );
}
