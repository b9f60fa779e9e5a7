import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import type { Transport } from "../transport/transport.js";
import { type Captured, mismatchOf, resolveRefs } from "./pattern.js";
import { printMessage, Recorder } from "./recorder.js";

export interface ScriptedPeerOptions {
  /** The side to play. Default: `client`. */
  readonly as?: "client" | "server";
  /** Milliseconds to wait for a message. Default: 5,000. */
  readonly timeoutMs?: number;
}

/**
 * One end of a transport, controlled by a script: sends any message, valid or not, never responds automatically, and queues
 * received messages until `receive` takes them.
 */
export class ScriptedPeer {
  /** All sent and received messages. */
  readonly recorder: Recorder;
  /** The captured values. */
  readonly captured: Captured = new Map();
  /** Resolves when the transport has closed, with the error if there is one. */
  readonly closed: Promise<Error | undefined>;
  readonly #inbox: unknown[] = [];
  readonly #timeoutMs: number;
  #isClosed = false;
  #wake: (() => void) | undefined;

  /** @param transport a transport that is not started; its callbacks are replaced */
  constructor(
    readonly transport: Transport,
    { as = "client", timeoutMs = 5_000 }: ScriptedPeerOptions = {},
  ) {
    this.recorder = new Recorder(as);
    this.#timeoutMs = timeoutMs;
    transport.onmessage = (message) => {
      this.recorder.trace("in", message);
      this.#inbox.push(message);
      this.#wake?.();
    };
    this.closed = new Promise((resolve) => {
      transport.onclose = (error) => {
        this.#isClosed = true;
        this.#wake?.();
        resolve(error);
      };
    });
  }

  /** Opens the transport. Call it first. */
  start(): Promise<void> {
    return this.transport.start();
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  /** Sends a message, with `ref`s replaced by captured values. */
  async send(message: unknown): Promise<void> {
    const resolved = resolveRefs(message, this.captured) as JSONRPCMessage;
    this.recorder.trace("out", resolved);
    await this.transport.send(resolved);
  }

  /**
   * Takes the next message, or waits for it.
   * @throws Error when no message arrives in time, or the transport closes first
   */
  async receive(): Promise<unknown> {
    await this.#until(this.#timeoutMs);
    if (this.#inbox.length > 0) return this.#inbox.shift();
    throw this.#failure(
      this.#isClosed ? "the transport has closed" : `no message arrived within ${this.#timeoutMs} ms`,
    );
  }

  /**
   * Takes the next message, which must match a pattern (see `mismatchOf`).
   * @throws Error with the mismatch and all sent and received messages
   */
  async expect(pattern: unknown): Promise<unknown> {
    const message = await this.receive();
    this.check(pattern, message);
    return message;
  }

  /** Compares a received message with a pattern. @throws Error like `expect` */
  check(pattern: unknown, message: unknown): void {
    const mismatch = mismatchOf(pattern, message, this.captured);
    if (!mismatch) return;
    const { path, expected, received } = mismatch;
    const whole = received === message ? "" : `\nin ${printMessage(message)}`;
    throw this.#failure(`${path}: expected ${expected}, received ${printMessage(received)}${whole}`);
  }

  /**
   * Waits, and expects no message.
   * @throws Error when a message arrives
   */
  async silence(ms: number): Promise<void> {
    await this.#until(ms);
    if (this.#inbox.length > 0)
      throw this.#failure(`expected silence for ${ms} ms, received ${printMessage(this.#inbox[0])}`);
  }

  /** Waits until there is a message, the transport has closed, or the time is over. */
  async #until(ms: number): Promise<void> {
    if (this.#inbox.length > 0 || this.#isClosed) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#wake = undefined;
  }

  #failure(problem: string): Error {
    return new Error(`${problem}\nso far:\n${this.recorder.toString().replace(/^/gm, "  ")}`);
  }
}
