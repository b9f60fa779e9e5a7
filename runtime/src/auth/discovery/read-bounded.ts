import { raceAbort } from "../../timing/race-abort.js";

/**
 * Reads the text of a response; undefined when it has more bytes. Cancels the body at the limit and when `signal` aborts.
 * @param maxBytes after decompression
 * @throws the abort reason of `signal`; the error with which the body ends
 */
export async function readBounded(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!response.body) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let isComplete = false;
  try {
    for (let bytes = 0; ;) {
      const { done, value } = await raceAbort(signal, reader.read());
      if (done) {
        isComplete = true;
        return text + decoder.decode();
      }
      bytes += value.byteLength;
      if (bytes > maxBytes) return undefined;
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    if (!isComplete) void reader.cancel().catch(() => undefined);
  }
}
