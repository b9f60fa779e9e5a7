import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from "../types/index.js";
import type { JSONRPCMessage } from "../types/index.js";

/** The longest unread input, in bytes, unless an option sets another limit. */
export const STDIO_DEFAULT_MAX_BUFFER_SIZE = 10 * 1024 * 1024;

const lineFeed = 0x0a;

/** Splits received bytes into lines. */
export abstract class LineBuffer {
  #bytes: Uint8Array = new Uint8Array();
  readonly #maxSize: number;

  constructor(options: { maxBufferSize?: number } = {}) {
    this.#maxSize = options.maxBufferSize ?? STDIO_DEFAULT_MAX_BUFFER_SIZE;
  }

  /** @throws Error when the unread input is too long; it is then discarded */
  append(chunk: Uint8Array): void {
    const size = this.#bytes.byteLength + chunk.byteLength;
    if (size > this.#maxSize) {
      this.clear();
      throw new Error(`ReadBuffer exceeded maximum size of ${this.#maxSize} bytes`);
    }
    const joined = new Uint8Array(size);
    joined.set(this.#bytes);
    joined.set(chunk, this.#bytes.byteLength);
    this.#bytes = joined;
  }

  /** Returns the next line, or undefined when it is not complete. */
  protected readLine(): string | undefined {
    const end = this.#bytes.indexOf(lineFeed);
    if (end < 0) return undefined;
    const line = new TextDecoder().decode(this.#bytes.subarray(0, end)).replace(/\r$/, "");
    this.#bytes = this.#bytes.subarray(end + 1);
    return line;
  }

  clear(): void {
    this.#bytes = new Uint8Array();
  }
}

/** Splits received bytes into messages: one per line. */
export class ReadBuffer extends LineBuffer {
  /** Returns the next message, or null when it is not complete. Lines that are not JSON are skipped. */
  readMessage(): JSONRPCMessage | null {
    for (let line = this.readLine(); line !== undefined; line = this.readLine())
      try {
        return deserializeMessage(line);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
    return null;
  }
}

/** @throws SyntaxError for a line that is not JSON, TypeError for JSON that is not a message */
export function deserializeMessage(line: string): JSONRPCMessage {
  const value: unknown = JSON.parse(line);
  const isMessage = [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResultResponse, isJSONRPCErrorResponse];
  if (!isMessage.some((is) => is(value))) throw new TypeError("The line is not a JSON-RPC message");
  return value as JSONRPCMessage;
}

export function serializeMessage(message: JSONRPCMessage): string {
  return `${JSON.stringify(message)}\n`;
}
