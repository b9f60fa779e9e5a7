import { SdkError } from "../jsonrpc/errors.js";

/**
 * Reads a body that may be endless.
 * @param enough what to do with a longer one: cut it off, or throw
 * @throws SdkError `LIMIT_EXCEEDED`
 */
export async function readText(response: Response, maxBytes: number, enough: "cut" | "throw"): Promise<string> {
  const { body, headers } = response;
  if (!body) return "";
  const length = headers.get("content-length");
  // A length says nothing about what is compressed.
  if (length && Number(length) <= maxBytes && !headers.has("content-encoding")) return response.text();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => undefined);
      if (enough === "cut") return text;
      throw new SdkError("LIMIT_EXCEEDED", `the answer is longer than ${maxBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Lets go of a body that nobody reads, so that its connection is free again. */
export function discard(response: Response): void {
  void response.body?.cancel().catch(() => undefined);
}
