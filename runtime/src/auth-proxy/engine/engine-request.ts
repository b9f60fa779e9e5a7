import { IncomingMessage } from "node:http";
import type { ProxySettings } from "../proxy-settings.js";

/** Headers of clients that the engine reads. All others, such as `Host`, `Forwarded` and `X-Forwarded-*`, never reach it. */
const passedHeaders = ["authorization", "cookie", "dpop"];

export interface EngineRequestParts {
  /** The path below that of the issuer. */
  readonly path: string;
  /** The query without its question mark. */
  readonly query?: string;
  /** The type of the response: errors are pages or JSON. */
  readonly accept: "text/html" | "application/json";
  readonly body?: { readonly type: string; readonly text: string };
}

/**
 * The request that the engine serves in place of a received one. Its host and scheme are those of the issuer, so that no header of a
 * client changes a URL which the engine prints; its body was read and checked.
 */
export function toEngineRequest(
  request: IncomingMessage,
  { issuerUrl, basePath }: ProxySettings,
  { path, query = "", accept, body }: EngineRequestParts,
): IncomingMessage {
  const message = new IncomingMessage(request.socket);
  const url = query === "" ? path : `${path}?${query}`;
  const headers: Record<string, string> = {
    accept,
    host: issuerUrl.host,
    "x-forwarded-proto": issuerUrl.protocol.slice(0, -1),
  };
  for (const name of passedHeaders) {
    const value = request.headers[name];
    if (typeof value === "string") headers[name] = value;
  }
  const bytes = body && Buffer.from(body.text);
  if (body && bytes) Object.assign(headers, { "content-type": body.type, "content-length": String(bytes.length) });
  Object.assign(message, {
    method: request.method,
    url,
    originalUrl: `${basePath}${url}`,
    httpVersion: request.httpVersion,
    httpVersionMajor: request.httpVersionMajor,
    httpVersionMinor: request.httpVersionMinor,
    headers,
    // The socket stays open when this message ends.
    complete: true,
  });
  if (bytes && bytes.length > 0) message.push(bytes);
  message.push(null);
  return message;
}
