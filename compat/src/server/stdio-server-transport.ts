import type { Readable, Writable } from "node:stream";
import { StdioServerTransport as NativeTransport } from "@mcpwright/runtime/stdio";
import { toOfficialError } from "../shared/errors.js";
import type { JSONRPCMessage, MessageExtraInfo } from "../types/index.js";
import type { Transport } from "../shared/transport.js";

/** The server's end of standard input and output: one message per line. */
export class StdioServerTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly #native: NativeTransport;

  /** @param options `maxBufferSize`: maximum length of a message in bytes */
  constructor(stdin?: Readable, stdout?: Writable, options: { maxBufferSize?: number } = {}) {
    const { maxBufferSize } = options;
    this.#native = new NativeTransport(
      stdin,
      stdout,
      maxBufferSize === undefined ? {} : { maxMessageBytes: maxBufferSize },
    );
  }

  /** Starts reading. */
  async start(): Promise<void> {
    const native = this.#native;
    native.onmessage = (message) => this.onmessage?.(message as JSONRPCMessage);
    native.onerror = (error) => this.onerror?.(error);
    native.onclose = () => this.onclose?.();
    try {
      await native.start();
    } catch (error) {
      throw toOfficialError(error);
    }
  }

  /**
   * Resolves after a notification is written. The runtime writes the messages of a tick at once, but clients of the official SDK that read
   * the last progress together with the result do not see it.
   */
  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#native.send(message as never);
      if (waiting || !("method" in message) || "id" in message) resolve(waiting);
      else setImmediate(resolve);
    });
  }

  close(): Promise<void> {
    return this.#native.close();
  }
}
