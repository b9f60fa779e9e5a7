import type { HttpHeaders } from "../../../runtime/src/http-server/host-adapter.js";
import type { Receiver } from "../network.js";
import { type Message, toMessages } from "./messages.js";
import { SseReader } from "./sse-reader.js";

/** What becomes of a response that may be a stream. */
export interface StreamEvents {
  /** Called with each message, in order, and with events that only have an id. Of a batch, the first message has the id of its event. */
  onMessage(message: Message | undefined, eventId: string | undefined): void;
  onHead?(status: number, headers: HttpHeaders): void;
  /** Called when the response is another one than 200. */
  onRefused(status: number, text: string): void;
  /** Called when nothing more arrives. @param isComplete whether the server has ended it */
  onOver(isComplete: boolean): void;
}

/** Reads a response: a stream of events, or one JSON text. */
export function readStream(events: StreamEvents, note: (text: string) => void): Receiver {
  const reader = new SseReader();
  let [status, text, isStream] = [0, "", false];
  return {
    onHead(received, headers) {
      status = received;
      isStream = headers["content-type"]?.startsWith("text/event-stream") === true;
      note(`${status}${isStream ? " stream" : ""}`);
      events.onHead?.(received, headers);
    },
    onText(part) {
      note(part);
      if (!isStream) text += part;
      else
        for (const { id, data } of reader.read(part))
          if (data)
            for (const [at, message] of toMessages(data).entries())
              events.onMessage(message, at === 0 ? id : undefined);
          else if (id !== undefined) events.onMessage(undefined, id);
    },
    onEnd() {
      note("end");
      if (status !== 200) {
        events.onRefused(status, text);
        return;
      }
      if (!isStream) for (const message of toMessages(text)) events.onMessage(message, undefined);
      events.onOver(true);
    },
    onLost() {
      note("lost");
      events.onOver(false);
    },
  };
}
