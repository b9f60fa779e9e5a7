import type { FetchLike } from "../../runtime/src/client/http.js";

/** What the responses over HTTP say about sessions and streams. */
export interface FetchEvents {
  /** The server has opened a session. */
  readonly onSession: (id: string) => void;
  /** The server does not know the session of a request. */
  readonly onUnknownSession: (id: string) => void;
  /** A stream is continued after the last event that arrived. */
  readonly onResumed: () => void;
  /** A stream cannot be continued, because events are missing. */
  readonly onGap: () => void;
  /** The POSTs of HTTP+SSE go to another URL than the stream. */
  readonly onPostUrl: (url: string) => void;
  /** A response that no document describes. */
  readonly onUnexpected: (what: string) => void;
}

/** Sends requests in the name of a principal, and reports what the responses say. */
export function watchedFetch(
  inner: FetchLike,
  headers: Readonly<Record<string, string>>,
  events: FetchEvents,
): FetchLike {
  return async (url, init) => {
    const sent = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    const { method = "GET" } = init;
    const response = await inner(url, { ...init, headers: sent });
    const { status } = response;
    const session = sent.get("mcp-session-id");
    const isResuming = sent.has("last-event-id");
    const opened = response.headers.get("mcp-session-id");
    if (opened !== null && opened !== session) events.onSession(opened);
    if (session !== null && status === 404) events.onUnknownSession(session);
    if (isResuming && status === 200) events.onResumed();
    if (isResuming && status === 400) events.onGap();
    if (method === "POST" && new URL(url).search !== "") events.onPostUrl(String(url));
    if (status === 503 && !response.headers.has("retry-after"))
      events.onUnexpected(`${method}: 503 without Retry-After`);
    if (status >= 500 && status !== 503)
      events.onUnexpected(`${method}: status ${status}: ${await response.clone().text()}`);
    return response;
  };
}
