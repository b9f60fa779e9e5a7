import type { JSONRPCMessage } from "../types/index.js";

const encoder = new TextEncoder();

/** Writes messages to a response that stays open, as server-sent events. */
export class SseWriter {
  readonly body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #keepAlive: ReturnType<typeof setInterval> | undefined;

  /**
   * @param ended called once when the client has gone or the stream was closed
   * @param keepAliveMs milliseconds between comments; 0 for none
   */
  constructor(
    readonly ended: () => void,
    keepAliveMs: number,
  ) {
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => this.#end(),
    });
    if (keepAliveMs > 0) {
      this.#keepAlive = setInterval(() => this.#write(": keepalive\n\n"), keepAliveMs);
      (this.#keepAlive as { unref?: () => void }).unref?.();
    }
  }

  get isOpen(): boolean {
    return this.#controller !== undefined;
  }

  message(message: JSONRPCMessage, eventId: string | undefined): void {
    const id = eventId === undefined ? "" : `id: ${eventId}\n`;
    this.#write(`event: message\n${id}data: ${JSON.stringify(message)}\n\n`);
  }

  /** An event without a message, whose id clients name when they reconnect. */
  priming(eventId: string, retryMs: number | undefined): void {
    const retry = retryMs === undefined ? "" : `retry: ${retryMs}\n`;
    this.#write(`id: ${eventId}\n${retry}data: \n\n`);
  }

  close(): void {
    const controller = this.#controller;
    this.#end();
    try {
      controller?.close();
    } catch {
      // The client has gone.
    }
  }

  #write(text: string): void {
    try {
      this.#controller?.enqueue(encoder.encode(text));
    } catch {
      this.#end();
    }
  }

  #end(): void {
    clearInterval(this.#keepAlive);
    if (!this.#controller) return;
    this.#controller = undefined;
    this.ended();
  }
}
