/**
 * The text that URIs share which mean the same, as `new URL` has it: who parses what he is listed asks for that one. What is no
 * absolute URI stays as it is.
 */
export function normalUri(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).href : uri;
}

/** Whether `uri` is `place` or lies below it, by whole segments of the path; both normal. */
export function isSameOrBelow(uri: string, place: string): boolean {
  return (
    uri.startsWith(place) &&
    (uri.length === place.length || place.endsWith("/") || /^[/?#]/.test(uri.slice(place.length)))
  );
}
