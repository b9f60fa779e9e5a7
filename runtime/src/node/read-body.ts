import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";

/**
 * Reads a body as text.
 * @param take gets the text, or undefined when it is no UTF-8 or longer than `maxBytes`. Not called when the client goes
 *   away before all has come
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  take: (text: string | undefined, isTooLong: boolean) => void,
): void {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    request.resume();
    return take(undefined, true);
  }
  let first: Buffer | undefined;
  let more: Buffer[] | undefined;
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      request.off("data", onData).off("end", onEnd).resume();
      return take(undefined, true);
    }
    if (!first) first = chunk;
    else (more ??= [first]).push(chunk);
  };
  const onEnd = (): void => {
    const body = more ? Buffer.concat(more, bytes) : (first ?? Buffer.alloc(0));
    take(isUtf8(body) ? body.toString("utf8") : undefined, false);
  };
  // A broken request needs no answer; unheard, its error would end the process.
  request
    .on("data", onData)
    .on("end", onEnd)
    .on("error", () => undefined);
}
