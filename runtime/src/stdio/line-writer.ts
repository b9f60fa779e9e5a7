import type { Readable, Writable } from "node:stream";
import { SdkError } from "../jsonrpc/errors.js";

// The original, even if tests replace the global; an import would make servers start later.
const { setImmediate } = process.getBuiltinModule("node:timers");

/** With this many characters or more, joining further lines saves no relevant system call and only costs memory. */
const FULL = 2 ** 16;

/** Writes lines to a stream, and joins those of one turn of the event loop. */
export interface LineWriter {
  /**
   * Queues a line, without its line break.
   * @returns undefined, or a promise if the reader is slow: it resolves when the stream has drained or the writer is stopped
   * @throws SdkError `LIMIT_EXCEEDED` when too much is queued
   */
  send(text: string): Promise<void> | undefined;
  /** Writes the queued lines and then nothing more. Resolves when they are written, or never will be. */
  finish(): Promise<void>;
  /** Drops the lines that have not been passed to the stream. */
  stop(): void;
}

export interface LineWriterOptions {
  /** The most bytes that may be queued. Default: 64 MiB. */
  readonly maxQueuedBytes?: number | undefined;
  /** The stream to pause while the reader is slow. */
  readonly source?: Readable;
  /** Writes to the stream. Default: its own `write`. */
  readonly write?: Write | undefined;
}

/** Writes like `Writable.write`. */
export type Write = (text: string, done: (error?: Error | null) => void) => boolean;

/** @param fail called with the error that makes writing impossible */
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
    // `false` alone is not enough: if the system has accepted everything at once, nothing is left to drain.
    if (write(text, done) || stream.writableLength === 0 || draining !== undefined) return;
    source?.pause();
    // Reads ahead into the source's buffer, or the end of the input would go unnoticed. Node stops reading in the next tick.
    process.nextTick(() => {
      if (!stopped) source?.read(0);
    });
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
        const error = new SdkError(
          "LIMIT_EXCEEDED",
          `The peer reads too slowly: ${maxQueuedBytes} bytes are queued (option maxQueuedBytes)`,
        );
        fail(error);
        throw error;
      }
      // Not `nextTick`: handlers that await several times would get one write each. The added latency is not measurable.
      if (pending === "") setImmediate(turn);
      pending += text + "\n";
      if (pending.length > FULL) flush();
      return draining;
    },
    finish() {
      // The writer must not resume the source after this.
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
