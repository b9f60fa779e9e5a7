/** Sends an HTTP request, like the global `fetch`. */
export type FetchLike = (url: URL, init: RequestInit) => Promise<Response>;
