/** The largest body that servers read by default, in bytes. */
export const DEFAULT_MAX_REQUEST_BODY_SIZE = 4 * 1024 * 1024;

/** The limit that an option states. @throws RangeError for something other than a positive number */
export function resolveMaxRequestBodySize(value: number = DEFAULT_MAX_REQUEST_BODY_SIZE): number {
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0)
    throw new RangeError(`maxRequestBodySize must be a positive number of bytes, got ${String(value)}`);
  return value;
}

export function requestBodyTooLargeMessage(maxBytes: number): string {
  return `Payload Too Large: Request body must not exceed ${maxBytes} bytes`;
}

/** Whether a `Content-Type` header names JSON; its parameters do not matter. */
export function isJsonContentType(header: string | null | undefined): boolean {
  if (!header) return false;
  const [mediaType = ""] = header.split(";", 1);
  return mediaType.trim().toLowerCase() === "application/json";
}

/** Reads a body as text, and stops when it is longer than the limit. */
export async function readRequestBody(
  request: Pick<Request, "text"> & { readonly headers: Pick<Headers, "get">; readonly body?: Request["body"] },
  maxBytes: number = DEFAULT_MAX_REQUEST_BODY_SIZE,
): Promise<{ tooLarge: true } | { tooLarge: false; text: string }> {
  const announced = request.headers.get("content-length");
  if (Number(announced) > maxBytes) return { tooLarge: true };
  // The host enforces the announced length, or has read the body. On some hosts, `body` creates a stream, which costs more than the rest of a call.
  if (announced !== null || !("body" in request)) return { tooLarge: false, text: await request.text() };
  const decoder = new TextDecoder();
  let received = 0;
  let text = "";
  const reader = request.body?.getReader();
  try {
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      received += chunk.value.byteLength;
      if (received > maxBytes) return { tooLarge: true };
      text += decoder.decode(chunk.value, { stream: true });
    }
  } finally {
    reader?.releaseLock();
  }
  return { tooLarge: false, text: text + decoder.decode() };
}
