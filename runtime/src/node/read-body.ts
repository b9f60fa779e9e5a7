import type { IncomingMessage } from "node:http";
import { type TimeLimited, timeLimits } from "../timing/time-limits.js";

/** How long a body may take to arrive, in milliseconds. */
export const BODY_MS = 60_000;

/** What happens with a body. Not called when the client disconnects before the end of the body. */
export interface BodyListener {
  onBody(body: Buffer): void;
  /** Called when the body is longer than `maxBytes`. */
  onTooLarge(): void;
  /** Called when the body has not arrived within `BODY_MS`. */
  onLate(): void;
}

/** Reads a body of at most `maxBytes`. */
export function readBody(request: IncomingMessage, maxBytes: number, listener: BodyListener): void {
  if (Number(request.headers["content-length"]) > maxBytes) {
    request.resume();
    return listener.onTooLarge();
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  const body: TimeLimited = {
    setIndex: undefined,
    due: performance.now() + BODY_MS,
    onLate() {
      stop();
      if (!request.destroyed) listener.onLate();
    },
  };
  /** Reads the rest of the body without keeping it. */
  const stop = (): void => {
    timeLimits.delete(body);
    request.off("data", onData).off("end", onEnd).resume();
  };
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      stop();
      return listener.onTooLarge();
    }
    chunks.push(chunk);
  };
  const onEnd = (): void => {
    timeLimits.delete(body);
    const [first] = chunks;
    // Most bodies arrive in one chunk, which does not need to be copied.
    listener.onBody(first && chunks.length === 1 ? first : Buffer.concat(chunks, bytes));
  };
  timeLimits.add(body);
  // A broken request gets no response; without a listener, its error would end the process.
  request
    .on("data", onData)
    .on("end", onEnd)
    .on("error", () => timeLimits.delete(body));
}
