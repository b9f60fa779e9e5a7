import { createParser, type EventSourceMessage } from "eventsource-parser";
import { SdkError } from "../jsonrpc/errors.js";

/** Receives the fields of a stream of server-sent events. */
export interface EventReceiver {
  /** Called with each event that has a data field, even an empty one. */
  readonly event: (event: EventSourceMessage) => void;
  /** Called with the id of the last complete event that has one, after the events of the same chunk. */
  readonly id?: (id: string) => void;
  /** Called with the milliseconds that the server asks the client to wait before it reconnects. */
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
 * @throws errors of the receiver
 * @throws errors that cut off the stream
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
    // The parser would wait for the character after a CR.
    if (endsInCr && text.startsWith("\n")) text = text.slice(1);
    endsInCr = text.endsWith("\r");
    if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");
    try {
      parser.feed(text);
      const id = to.id && lastId(text);
      if (id !== undefined) to.id?.(id);
      if (state.isFull) throw new SdkError("LIMIT_EXCEEDED", `an event of the stream is longer than ${maxBytes} bytes`);
    } catch (error) {
      void reader.cancel().catch(() => undefined);
      throw error;
    }
  }
}

/** Longer ids cannot be used. */
const maxLine = 4_096;

/** Finds the last id of complete events in each chunk of a stream: the parser does not report events without data. */
function idReader(): (chunk: string) => string | undefined {
  let line = "";
  /** The id of the incomplete event. */
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
