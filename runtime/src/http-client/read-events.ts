import { createParser, type EventSourceMessage } from "eventsource-parser";
import { SdkError } from "../jsonrpc/errors.js";

/** What reads a stream of server-sent events. */
export interface EventReceiver {
  /** Called with each event that has a data field, even an empty one. */
  readonly event: (event: EventSourceMessage) => void;
  /** The id of the last complete event that had one, after the events that came with it. */
  readonly id?: (id: string) => void;
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
export async function readEvents({ body }: Response, maxBytes: number, to: EventReceiver): Promise<void> {
  if (!body) return;
  const state = { isFull: false };
  const parser = createParser({
    onEvent: to.event,
    onRetry: to.retry,
    onError: ({ type }) => (state.isFull ||= type === "max-buffer-size-exceeded"),
    maxBufferSize: maxBytes,
  });
  const lastId = idReader();
  const decoder = new TextDecoder();
  let endsInCr = false;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    let text = decoder.decode(value, { stream: true });
    if (text === "") continue;
    // The parser would wait for what comes after a CR.
    if (endsInCr && text.startsWith("\n")) text = text.slice(1);
    endsInCr = text.endsWith("\r");
    if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");
    parser.feed(text);
    const id = to.id && lastId(text);
    if (id !== undefined) to.id?.(id);
    if (!state.isFull) continue;
    void reader.cancel().catch(() => undefined);
    throw new SdkError("LIMIT_EXCEEDED", `an event of the stream is longer than ${maxBytes} bytes`);
  }
}

/** Longer ids are of no use to anybody. */
const maxLine = 4_096;

/** Finds the last id of complete events in each chunk of a stream: the parser does not tell of events without data. */
function idReader(): (chunk: string) => string | undefined {
  let line = "";
  /** That of the event that is not complete yet. */
  let next: string | undefined;
  return (chunk) => {
    const lines = chunk.split("\n");
    lines[0] = line + (lines[0] ?? "");
    line = (lines.pop() ?? "").slice(0, maxLine);
    let found: string | undefined;
    for (const one of lines)
      if (one === "") [found, next] = [next ?? found, undefined];
      else if (/^id(:|$)/.test(one) && !one.includes("\0")) next = one.slice(one.startsWith("id: ") ? 4 : 3);
    return found;
  };
}
