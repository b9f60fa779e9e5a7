import type { RequestId } from "../types/index.js";
import type { FetchLike } from "../shared/transport.js";

/**
 * Returns a `fetch` that reports the event ids of each stream to the listener of its request: they are the tokens with which the stream
 * can be resumed. The last listener gets those of a stream that is resumed.
 */
export function reportingIds(send: FetchLike, listeners: ReadonlyMap<RequestId, (token: string) => void>): FetchLike {
  return async (input, init) => {
    const listener = listenerOf(init, listeners);
    const response = await send(input, init);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!listener || !response.body || !isStream) return response;
    const body = response.body.pipeThrough(eventIds(listener));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function listenerOf(
  init: RequestInit | undefined,
  listeners: ReadonlyMap<RequestId, (token: string) => void>,
): ((token: string) => void) | undefined {
  if (init?.method === "GET" && new Headers(init.headers).has("last-event-id")) return [...listeners.values()].at(-1);
  if (init?.method !== "POST" || typeof init.body !== "string") return undefined;
  const { id } = JSON.parse(init.body) as { readonly id?: RequestId };
  return id === undefined ? undefined : listeners.get(id);
}

/** Passes a stream of events on, and reports their ids. */
function eventIds(report: (id: string) => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\r|\n/);
      rest = lines.pop() ?? "";
      controller.enqueue(chunk);
      for (const line of lines) if (line.startsWith("id:")) report(line.slice(3).trimStart());
    },
  });
}
