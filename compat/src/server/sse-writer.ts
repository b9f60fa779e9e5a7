import type { JSONRPCMessage } from "../types/index.js";

const encoder = new TextEncoder();

/** Milliseconds between two comments that keep a stream open, by default. */
const DEFAULT_KEEP_ALIVE_MS = 15_000;

/** The most bytes that wait for a client that does not read its stream. */
export const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** Where the text of a stream goes. */
export interface TextSink {
  write(text: string): void;
  end(): void;
  /** Ends the response before it is complete. */
  abort(error: Error): void;
  /** How many bytes the client has not read. */
  readonly unreadBytes: number;
}

/** Brings the text to a stream of the Web platform. */
class StreamSink implements TextSink {
  constructor(readonly controller: ReadableStreamDefaultController<Uint8Array>) {}

  get unreadBytes(): number {
    return MAX_UNREAD_BYTES - (this.controller.desiredSize ?? 0);
  }

  write(text: string): void {
    this.controller.enqueue(encoder.encode(text));
  }

  end(): void {
    this.controller.close();
  }

  abort(error: Error): void {
    this.controller.error(error);
  }
}

/** Writes messages to a response that stays open, as server-sent events. */
export class SseWriter {
  /** The ids of events that a replay has written. */
  readonly replayed = new Set<string>();
  #isOpen = true;
  /** The text until there is a sink. */
  #waiting = "";
  #sink: TextSink | undefined;
  #keepAlive: ReturnType<typeof setInterval> | undefined;

  /**
   * @param ended called once, when the client has gone or the stream was closed
   * @param keepAliveMs milliseconds between comments; 0 for none
   */
  constructor(
    readonly ended: (writer: SseWriter) => void,
    readonly keepAliveMs: number = DEFAULT_KEEP_ALIVE_MS,
  ) {}

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Brings the text to a response of the host, also the text that was written before. Called once. */
  pipeTo(sink: TextSink): void {
    const { keepAliveMs } = this;
    if (this.#waiting !== "") sink.write(this.#waiting);
    this.#waiting = "";
    if (!this.#isOpen) {
      sink.end();
      return;
    }
    this.#sink = sink;
    if (keepAliveMs <= 0 || !Number.isFinite(keepAliveMs)) return;
    this.#keepAlive = setInterval(() => this.#write(": keepalive\n\n"), keepAliveMs);
    // It must not keep a process alive.
    (this.#keepAlive as { unref?: () => void }).unref?.();
  }

  /** The text as the body of a response of the Web platform. Called once. */
  toStream(): ReadableStream<Uint8Array> {
    let controller!: ReadableStreamDefaultController<Uint8Array>;
    const strategy = new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES });
    const body = new ReadableStream<Uint8Array>(
      {
        start: (given) => {
          controller = given;
        },
        cancel: () => this.disconnect(),
      },
      strategy,
    );
    this.pipeTo(new StreamSink(controller));
    return body;
  }

  /** Writes a message, unless a replay has written its event. */
  message(message: JSONRPCMessage, eventId: string | undefined): void {
    if (eventId !== undefined && this.replayed.has(eventId)) return;
    const id = eventId ? `id: ${eventId}\n` : "";
    this.#write(`event: message\n${id}data: ${JSON.stringify(message)}\n\n`);
  }

  /** Writes an event without a message, whose id clients name when they reconnect. */
  priming(eventId: string, retryMs: number | undefined): void {
    const retry = retryMs === undefined ? "" : `retry: ${retryMs}\n`;
    this.#write(`id: ${eventId}\n${retry}data: \n\n`);
  }

  close(): void {
    const sink = this.#sink;
    this.disconnect();
    sink?.end();
  }

  /** Called when the client has gone. */
  disconnect(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#sink = undefined;
    clearInterval(this.#keepAlive);
    this.ended(this);
  }

  #write(text: string): void {
    if (!this.#isOpen) return;
    const sink = this.#sink;
    if (!sink) {
      this.#waiting += text;
      return;
    }
    sink.write(text);
    if (sink.unreadBytes <= MAX_UNREAD_BYTES) return;
    // The client can resume the stream.
    this.disconnect();
    sink.abort(new Error("the client does not read its stream"));
  }
}
