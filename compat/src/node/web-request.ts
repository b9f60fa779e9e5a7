import type { AuthInfo } from "../types/index.js";
import { requestBodyTooLargeMessage, resolveMaxRequestBodySize } from "../shared/request-body.js";

/** The members of Node's `IncomingMessage` that are read. */
export interface NodeIncomingMessageLike extends AsyncIterable<unknown> {
  method?: string | undefined;
  url?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  /** The client, which a middleware has set. */
  auth?: AuthInfo | undefined;
}

export interface ToWebRequestOptions {
  signal?: AbortSignal;
  /** The largest body that is read, in bytes. Default: 4 MiB. */
  maxRequestBodySize?: number;
}

/** A body that is longer than the limit. */
export class RequestBodyTooLargeError extends Error {
  override name = "RequestBodyTooLargeError";
  readonly status = 413;

  constructor(maxBytes: number) {
    super(requestBodyTooLargeMessage(maxBytes));
  }
}

/**
 * Converts a request of Node into one of the Web platform. The body is read before the promise resolves.
 * @param parsedBody the value of the body, if a framework has read it already
 * @throws RequestBodyTooLargeError for a body that is longer than the limit
 */
export async function toWebRequest(
  request: NodeIncomingMessageLike,
  parsedBody?: unknown,
  options: ToWebRequestOptions = {},
): Promise<Request> {
  const { method = "GET", url = "/" } = request;
  const hasBody = !/^(GET|HEAD)$/i.test(method);
  const headers = headersOf(request);
  const host = headers.get("host") ?? single(request.headers[":authority"]) ?? "localhost";
  const maxBytes = resolveMaxRequestBodySize(options.maxRequestBodySize);
  const body = !hasBody
    ? ""
    : parsedBody === undefined
      ? await readText(request, maxBytes)
      : asText(parsedBody, headers);
  return new Request(`http://${host}${url}`, {
    method: method.toUpperCase(),
    headers,
    ...(options.signal && { signal: options.signal }),
    ...(body !== "" && { body }),
  });
}

/** The text of a body that was parsed. The headers then describe this text. */
function asText(parsedBody: unknown, headers: Headers): string {
  const text = (JSON.stringify(parsedBody) as string | undefined) ?? "";
  for (const name of ["content-encoding", "transfer-encoding", "content-length"]) headers.delete(name);
  if (text !== "") headers.set("content-length", String(new TextEncoder().encode(text).byteLength));
  return text;
}

function headersOf(request: NodeIncomingMessageLike): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // Pseudo-headers of HTTP/2.
    if (value === undefined || name.startsWith(":")) continue;
    for (const one of [value].flat()) headers.append(name, one);
  }
  return headers;
}

async function readText(request: NodeIncomingMessageLike, maxBytes: number): Promise<string> {
  if (Number(single(request.headers["content-length"])) > maxBytes) throw new RequestBodyTooLargeError(maxBytes);
  const decoder = new TextDecoder();
  let received = 0;
  let text = "";
  for await (const chunk of request) {
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : (chunk as Uint8Array);
    received += bytes.byteLength;
    if (received > maxBytes) throw new RequestBodyTooLargeError(maxBytes);
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
