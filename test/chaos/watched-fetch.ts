import type { FetchLike } from "../../runtime/src/client/http.js";

/** What the responses over HTTP say about sessions and streams. */
export interface FetchEvents {
  /** The server has opened a session. */
  readonly onSession: (id: string) => void;
  /** The server does not know the session of a request. */
  readonly onUnknownSession: (id: string) => void;
  /** A stream is continued after the last event that arrived. */
  readonly onResumed: () => void;
  /** A stream cannot be continued, because events are missing. @param since when the last event arrived, in epoch milliseconds */
  readonly onGap: (since: number) => void;
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
  /** When each event arrived that has an id. */
  const arrivals = new Map<string, number>();
  return async (url, init) => {
    const sent = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    const { method = "GET" } = init;
    const response = await inner(url, { ...init, headers: sent });
    const { status } = response;
    const session = sent.get("mcp-session-id");
    const lastEventId = sent.get("last-event-id");
    const isResuming = lastEventId !== null;
    const opened = response.headers.get("mcp-session-id");
    if (opened !== null && opened !== session) events.onSession(opened);
    if (session !== null && status === 404) events.onUnknownSession(session);
    if (isResuming && status === 200) events.onResumed();
    if (isResuming && status === 400) events.onGap(arrivals.get(lastEventId) ?? Date.now());
    if (method === "POST" && new URL(url).search !== "") events.onPostUrl(String(url));
    if (status === 503 && !response.headers.has("retry-after"))
      events.onUnexpected(`${method}: 503 without Retry-After`);
    if (status >= 500 && status !== 503)
      events.onUnexpected(`${method}: status ${status}: ${await response.clone().text()}`);
    return response.body && isStream(response) ? watched(response, response.body, arrivals) : response;
  };
}

function isStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** Notes when the events of a stream arrive. */
function watched(response: Response, body: ReadableStream<Uint8Array>, arrivals: Map<string, number>): Response {
  const decoder = new TextDecoder();
  let rest = "";
  const noting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("id: ")) arrivals.set(line.slice(4), Date.now());
      controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(noting), response);
}
