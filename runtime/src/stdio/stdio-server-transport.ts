import type { Readable, Writable } from "node:stream";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { serialize } from "../jsonrpc/serialize.js";
import { assertMethods } from "../options/assert-methods.js";
import { assertNumberOptions } from "../options/assert-options.js";
import type { Transport } from "../transport/transport.js";
import { ignoreError } from "./ignore-error.js";
import { createLineReader } from "./line-reader.js";
import { createLineWriter, type LineWriter } from "./line-writer.js";
import type { StdioOptions } from "./options.js";
import { redirectStdout } from "./redirect-stdout.js";
import { settlesWithin } from "./settles-within.js";

/** How long `close` waits for a peer that does not read, in milliseconds. */
const FLUSH_MS = 2_000;

/** The outputs in use: two transports on one output would mix their lines. */
const outputs = new WeakSet<Writable>();

/**
 * The server's end of standard input and output: one message per line (MCP, transports: stdio). Works with any two streams.
 *
 * While it is open on `process.stdout`, other writes there go to standard error. It closes without an error at the end of
 * the input, unless `onend` is set. While the peer reads too slowly, its messages are not read.
 */
export class StdioServerTransport implements Transport {
  readonly network = "pipe";
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onend?: Transport["onend"];
  onclose?: Transport["onclose"];

  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #options: StdioOptions;
  #open: OpenStreams | undefined;
  #released: Promise<void> = Promise.resolve();

  constructor(stdin: Readable = process.stdin, stdout: Writable = process.stdout, options: StdioOptions = {}) {
    const remedy = "pass the streams before the options: new StdioServerTransport(stdin, stdout, options)";
    assertMethods(stdin, ["on", "resume"], remedy);
    assertMethods(stdout, ["on", "write"], remedy);
    assertNumberOptions(options);
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#options = options;
  }

  /**
   * Starts reading.
   * @throws SdkError `ALREADY_CONNECTED` when this transport, or another one on the same output, is open;
   *   `NOT_CONNECTED` when one of the streams has ended
   */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#openStreams();
      resolve();
    });
  }

  /** @throws SdkError `NOT_CONNECTED` when the transport is not open; `LIMIT_EXCEEDED` when too much is queued */
  send(message: JSONRPCMessage | readonly JSONRPCMessage[]): Promise<void> | undefined {
    if (this.#open === undefined) throw new SdkError("NOT_CONNECTED", "The transport is not open");
    return this.#open.writer.send(serialize(message));
  }

  /**
   * Stops reading, and waits until queued messages are written, or the peer has not read for two seconds. Ends the streams;
   * those of the process stay open, unless the peer does not read.
   */
  close(): Promise<void> {
    this.#shut();
    return this.#released;
  }

  #openStreams(): void {
    const stdin = this.#stdin;
    const stdout = this.#stdout;
    if (outputs.has(stdout))
      throw new SdkError("ALREADY_CONNECTED", "A transport is already open on this output; close it first");
    if (stdin.readableEnded || stdin.destroyed || !stdout.writable) {
      throw new SdkError("NOT_CONNECTED", "The input or the output has ended");
    }
    outputs.add(stdout);
    const diversion = stdout === process.stdout ? redirectStdout() : undefined;
    const { maxQueuedBytes } = this.#options;
    const fail = (error: Error): void => {
      if (this.#open === channel) this.#shut(error);
    };
    const writer = createLineWriter(stdout, fail, { maxQueuedBytes, source: stdin, write: diversion?.write });
    const reader = createLineReader(this, this.#options);
    const read = (chunk: Uint8Array | string): void => reader.push(chunk);
    const end = (): void => {
      stdin.off("end", end).off("close", end);
      const truncated = reader.end();
      if (truncated !== undefined) this.onerror?.(truncated);
      if (this.onend) this.onend();
      else this.#shut();
    };
    const channel: OpenStreams = {
      writer,
      release() {
        reader.stop();
        stdin.off("data", read).off("end", end).off("close", end).off("error", fail).on("error", ignoreError);
        // If it is already paused for a slow reader, only a new pause lets `process.stdin` release the process.
        stdin.resume().pause();
        diversion?.restore();
        outputs.delete(stdout);
      },
    };
    this.#open = channel;
    // The callback of `write` reports the same error.
    stdout.off("error", ignoreError).on("error", ignoreError);
    stdin.off("error", ignoreError).on("error", fail).on("close", end).on("end", end).on("data", read).resume();
  }

  #shut(error?: Error): void {
    const channel = this.#open;
    if (channel === undefined) return;
    this.#open = undefined;
    channel.release();
    this.#released = this.#release(channel.writer, error);
    this.onclose?.(error);
  }

  async #release(writer: LineWriter, error: Error | undefined): Promise<void> {
    const stdout = this.#stdout;
    const written = error === undefined && (await isWritten(stdout, writer));
    writer.stop();
    if (!written) {
      // Node keeps its own output open. A write that never ends would then keep the process alive.
      if (stdout === process.stdout) Reflect.deleteProperty(stdout, "_destroy");
      stdout.destroy();
    } else if (stdout !== process.stdout) stdout.end();
    if (this.#stdin !== process.stdin) this.#stdin.destroy();
  }
}

/** Whether the queued messages get written. Waits for as long as the peer reads. */
async function isWritten(stdout: Writable, writer: LineWriter): Promise<boolean> {
  const finished = writer.finish();
  for (let left = Infinity; stdout.writableLength < left;) {
    left = stdout.writableLength;
    if (await settlesWithin(FLUSH_MS, finished)) return true;
  }
  return false;
}

/** The resources of an open transport. */
interface OpenStreams {
  readonly writer: LineWriter;
  /** Stops using the streams. */
  release(): void;
}
