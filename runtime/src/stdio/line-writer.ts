import type { Readable, Writable } from "node:stream";
import { SdkError } from "../jsonrpc/errors.js";

// The real one, whatever tests put in its place; an import would make servers start later.
const { setImmediate } = process.getBuiltinModule("node:timers");

/** From here on, in characters, joining more lines saves no system call that matters and only costs memory. */
const FULL = 2 ** 16;

/** Writes lines to a stream: those of one turn of the event loop at once. */
export interface LineWriter {
  /**
   * Takes a line, without its end.
   * @returns nothing; a promise when the reader is slow: it resolves once the stream has drained or the writer was stopped
   * @throws SdkError `LIMIT_EXCEEDED` when too much waits for the reader already
   */
  send(text: string): Promise<void> | undefined;
  /** Hands all lines to the stream, as the last thing. Resolves when they are written or never will be. */
  finish(): Promise<void>;
  /** Drops what the stream does not have yet. */
  stop(): void;
}

export interface LineWriterOptions {
  /** How much may wait for the reader, in bytes. Default 64 MiB. */
  readonly maxQueuedBytes?: number | undefined;
  /** What to pause while the reader is slow. */
  readonly source?: Readable;
  /** How to write to the stream, if not by its own method. */
  readonly write?: Write | undefined;
}

/** Writes like `Writable.write`. */
export type Write = (text: string, done: (error?: Error | null) => void) => boolean;

/** @param fail is told why nothing can be written any more */
export function createLineWriter(
  stream: Writable,
  fail: (error: Error) => void,
  { maxQueuedBytes = 2 ** 26, source, write = (text, done) => stream.write(text, done) }: LineWriterOptions,
): LineWriter {
  let pending = "";
  let stopped = false;
  let draining: Promise<void> | undefined;
  let drained: (() => void) | undefined;

  function flush(done = written): void {
    const text = pending;
    pending = "";
    // `false` alone means little: when the system took everything at once, nothing is left to drain.
    if (write(text, done) || stream.writableLength === 0 || draining !== undefined) return;
    source?.pause();
    draining = new Promise((resolve) => {
      drained = () => {
        draining = undefined;
        if (!stopped) source?.resume();
        resolve();
      };
      stream.once("drain", drained);
    });
  }

  function written(error?: Error | null): void {
    if (error && !stopped) fail(error);
  }

  function turn(): void {
    if (pending !== "") flush();
  }

  return {
    send(text) {
      if (stream.writableLength + pending.length > maxQueuedBytes) {
        const error = new SdkError("LIMIT_EXCEEDED", `The peer reads too slowly: ${maxQueuedBytes} bytes wait for it`);
        fail(error);
        throw error;
      }
      // Not `nextTick`: handlers that await a few times would get a write each. It costs no latency that can be measured.
      if (pending === "") setImmediate(turn);
      pending += text + "\n";
      if (pending.length > FULL) flush();
      return draining;
    },
    finish() {
      // The source belongs to others from now on.
      stopped = true;
      return new Promise((resolve) => flush(() => resolve()));
    },
    stop() {
      stopped = true;
      pending = "";
      drained?.();
    },
  };
}
