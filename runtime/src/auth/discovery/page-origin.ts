/** The origin of the web page in which this code runs; undefined outside browsers. */
export function pageOrigin(): string | undefined {
  return (globalThis as { readonly location?: { readonly origin?: string } }).location?.origin;
}

/**
 * Keeps a browser from adding cookies and a referrer to a request, and from storing the response. Only browsers do that, and other
 * hosts may reject these members.
 */
export function withoutBrowserState(): RequestInit {
  return pageOrigin() === undefined ? {} : { credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" };
}

/** Whether a browser may have hidden the response: of another origin that does not allow the request (CORS). */
export function mayBeHidden(url: URL, error: unknown): boolean {
  const page = pageOrigin();
  return page !== undefined && page !== url.origin && error instanceof TypeError;
}
