import type { IncomingMessage } from "node:http";

/**
 * Reads a body.
 * @param take called with the body, or with undefined if it is longer than `maxBytes`; not called when the client
 *   disconnects before the end of the body
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
    // Most bodies arrive in one chunk, which does not need to be copied.
    take(first && chunks.length === 1 ? first : Buffer.concat(chunks, bytes));
  };
  // A broken request gets no response; without a listener, its error would end the process.
  request
    .on("data", onData)
    .on("end", onEnd)
    .on("error", () => undefined);
}
