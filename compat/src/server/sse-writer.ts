import type { JSONRPCMessage } from "../types/index.js";

const encoder = new TextEncoder();

/** Milliseconds between two comments that keep a stream open, by default. */
const DEFAULT_KEEP_ALIVE_MS = 15_000;

/** The most bytes that wait for a client that does not read its stream. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** Writes messages to a response that stays open, as server-sent events. */
export class SseWriter {
  readonly body: ReadableStream<Uint8Array>;
  /** The ids of events that a replay has written. */
  readonly replayed = new Set<string>();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #keepAlive: ReturnType<typeof setInterval> | undefined;

  /**
   * @param ended called once, when the client has gone or the stream was closed
   * @param keepAliveMs milliseconds between comments; 0 for none
   */
  constructor(
    readonly ended: (writer: SseWriter) => void,
    keepAliveMs: number = DEFAULT_KEEP_ALIVE_MS,
  ) {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.#end(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
    );
    if (keepAliveMs > 0 && Number.isFinite(keepAliveMs)) {
      this.#keepAlive = setInterval(() => this.#write(": keepalive\n\n"), keepAliveMs);
      // It must not keep a process alive.
      (this.#keepAlive as { unref?: () => void }).unref?.();
    }
  }

  get isOpen(): boolean {
    return this.#controller !== undefined;
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
    const controller = this.#controller;
    this.#end();
    controller?.close();
  }

  #write(text: string): void {
    const controller = this.#controller;
    if (!controller) return;
    controller.enqueue(encoder.encode(text));
    if ((controller.desiredSize ?? 0) >= 0) return;
    // The client can resume the stream.
    this.#end();
    controller.error(new Error("the client does not read its stream"));
  }

  #end(): void {
    if (!this.#controller) return;
    this.#controller = undefined;
    clearInterval(this.#keepAlive);
    this.ended(this);
  }
}
