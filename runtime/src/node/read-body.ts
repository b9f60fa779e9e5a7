import type { IncomingMessage } from "node:http";

/**
 * Reads a body.
 * @param take gets it, or undefined when it is longer than `maxBytes`. Not called when the client goes away before all has
 *   come
 */
export function readBody(request: IncomingMessage, maxBytes: number, take: (body: Buffer | undefined) => void): void {
  if (Number(request.headers["content-length"]) > maxBytes) {
    request.resume();
    return take(undefined);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      request.off("data", onData).off("end", onEnd).resume();
      return take(undefined);
    }
    chunks.push(chunk);
  };
  const onEnd = (): void => {
    const [first] = chunks;
    // Most bodies come in one piece, which need not be copied.
    take(first && chunks.length === 1 ? first : Buffer.concat(chunks, bytes));
  };
  // A broken request needs no answer; unheard, its error would end the process.
  request
    .on("data", onData)
    .on("end", onEnd)
    .on("error", () => undefined);
}
