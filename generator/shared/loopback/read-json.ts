import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

/**
 * Reads the body of a request as JSON.
 * @throws Error when it is longer than `maxBytes`, does not state its length, or is not JSON
 */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  if (Number(request.headers["content-length"] ?? Infinity) > maxBytes)
    throw new RangeError(`The request is longer than ${maxBytes} bytes`);
  return JSON.parse(await text(request)) as unknown;
}
