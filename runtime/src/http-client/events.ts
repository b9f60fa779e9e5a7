import { createParser, type EventSourceMessage } from "eventsource-parser";
import { SdkError } from "../engine/errors.js";

/** What reads a stream of server-sent events. */
export interface EventReceiver {
  /** Called with each event that has an id or a data field, even an empty one. */
  readonly event: (event: EventSourceMessage) => void;
  /** The server says how long to wait before the stream is opened again, in milliseconds. */
  readonly retry: (ms: number) => void;
}

export function isEventStream(response: Response): boolean {
  return mediaType(response) === "text/event-stream";
}

export function mediaType({ headers }: Response): string {
  return (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/**
 * Reads a response to its end, as server-sent events (HTML living standard, 9.2).
 * @throws SdkError `LIMIT_EXCEEDED` for an event of more than `maxBytes`
 * @throws whatever cuts the stream off
 */
export async function readEvents({ body }: Response, maxBytes: number, { event, retry }: EventReceiver): Promise<void> {
  if (!body) return;
  const state = { isFull: false };
  const parser = createParser({
    onEvent: event,
    onRetry: retry,
    onError: ({ type }) => (state.isFull ||= type === "max-buffer-size-exceeded"),
    maxBufferSize: maxBytes,
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const text = decoder.decode(value, { stream: true });
    parser.feed(text);
    // The parser does not tell of events without data; servers send each by itself.
    const id = /(?:^|\n)id: ?([^\r\n]+)\r?\n(?:retry:[^\r\n]*\r?\n)?\r?\n$/.exec(text)?.[1];
    if (id !== undefined && !id.includes("\0")) event({ id, data: "", event: undefined });
    if (!state.isFull) continue;
    void reader.cancel().catch(() => undefined);
    throw new SdkError("LIMIT_EXCEEDED", `an event of the stream is longer than ${maxBytes} bytes`);
  }
}
