import { SdkError } from "../jsonrpc/errors.js";

/**
 * Reads a body of any length.
 * @param enough whether to cut off a longer body, or to throw
 * @throws SdkError `LIMIT_EXCEEDED`
 */
export async function readText(response: Response, maxBytes: number, enough: "cut" | "throw"): Promise<string> {
  const { body, headers } = response;
  if (!body) return "";
  const length = headers.get("content-length");
  // The length of a compressed body does not limit the decoded text.
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
      throw new SdkError("LIMIT_EXCEEDED", `the response is longer than ${maxBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Cancels a body that is not read, to free its connection. */
export function discard(response: Response): void {
  void response.body?.cancel().catch(() => undefined);
}
