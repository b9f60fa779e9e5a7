import type { SseWriter } from "./sse-writer.js";

/** The response to a request, before it is one of the host. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A text, a stream of events, or nothing. */
  readonly body?: string | SseWriter;
}

export function jsonReply(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): HttpReply {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(value) };
}

/** Makes the response of the Web platform. */
export function toResponse(reply: HttpReply | Response): Response {
  if ("arrayBuffer" in reply) return reply;
  const { status, headers, body = null } = reply;
  return new Response(typeof body === "string" ? body : (body?.toStream() ?? null), {
    status,
    headers: { ...headers },
  });
}
