import type { JSONRPCMessage } from "../messages.js";

const encoder = new TextEncoder();

/** Milliseconds between two comments that keep a stream open, by default. */
export const DEFAULT_SSE_KEEP_ALIVE_MS = 15_000;

/** A response that is a stream of events. */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** The ids of events that a replay has written. */
  readonly replayed = new Set<string>();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param keepAliveMs milliseconds between two comments; 0 for none
   * @param onEnd called when the client has disconnected, or the stream was closed
   */
  constructor(
    keepAliveMs: number,
    readonly onEnd: (stream: EventStream) => void,
  ) {
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => this.#end(),
    });
    if (keepAliveMs > 0 && Number.isFinite(keepAliveMs)) {
      const timer: unknown = (this.#timer = setInterval(() => this.#write(": keepalive\n\n"), keepAliveMs));
      // It must not keep a process alive.
      if (typeof timer === "object") (timer as { unref?: () => void }).unref?.();
    }
  }

  get isOpen(): boolean {
    return this.#controller !== undefined;
  }

  send(message: JSONRPCMessage, eventId: string | undefined): void {
    if (eventId !== undefined && this.replayed.has(eventId)) return;
    const id = eventId ? `id: ${eventId}\n` : "";
    this.#write(`event: message\n${id}data: ${JSON.stringify(message)}\n\n`);
  }

  /** Writes an event without a message, whose id a client can resume after. */
  prime(eventId: string, retryMs: number | undefined): void {
    const retry = retryMs === undefined ? "" : `retry: ${retryMs}\n`;
    this.#write(`id: ${eventId}\n${retry}data: \n\n`);
  }

  close(): void {
    const controller = this.#controller;
    if (!controller) return;
    this.#end();
    controller.close();
  }

  #write(text: string): void {
    this.#controller?.enqueue(encoder.encode(text));
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#controller = undefined;
    this.onEnd(this);
  }
}
