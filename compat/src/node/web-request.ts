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
  const text = await readBody(request, parsedBody, resolveMaxRequestBodySize(options.maxRequestBodySize));
  return makeWebRequest(request, text, parsedBody, options.signal);
}

/**
 * Reads the text of a body that no framework has parsed; it is empty for a request without one.
 * @throws RequestBodyTooLargeError (or rejects) for a body that is longer than the limit
 */
export function readBody(
  request: NodeIncomingMessageLike,
  parsedBody: unknown,
  maxBytes: number,
): string | Promise<string> {
  return parsedBody === undefined && hasBody(request) ? readText(request, maxBytes) : "";
}

/** Converts a request whose body is read. */
export function makeWebRequest(
  request: NodeIncomingMessageLike,
  text: string,
  parsedBody: unknown,
  signal: AbortSignal | undefined,
): Request {
  const headers = headersOf(request);
  const body = parsedBody !== undefined && hasBody(request) ? asText(parsedBody, headers) : text;
  return new Request(urlOf(request), {
    method: methodOf(request),
    headers,
    ...(signal && { signal }),
    ...(body !== "" && { body }),
  });
}

export function methodOf({ method = "GET" }: NodeIncomingMessageLike): string {
  return method.toUpperCase();
}

export function urlOf({ url = "/", headers }: NodeIncomingMessageLike): string {
  return `http://${single(headers["host"]) ?? single(headers[":authority"]) ?? "localhost"}${url}`;
}

function hasBody(request: NodeIncomingMessageLike): boolean {
  return !/^(GET|HEAD)$/.test(methodOf(request));
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
