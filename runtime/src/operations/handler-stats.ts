import type { Endpoint } from "../http-server/endpoint.js";
import type { McpHttpHandler } from "../http-server/mcp-handler.js";

/** What the HTTP handler of a server does at the moment, in this process. */
export interface HandlerStats {
  /** Sessions over Streamable HTTP. */
  readonly sessions: number;
  /** Sessions over HTTP+SSE of 2024-11-05. */
  readonly legacySessions: number;
  /** Streams that stay open for later messages; they count towards `maxStreams`. */
  readonly streams: number;
  /** Requests in progress that belong to no session; they count towards `maxRequests`. */
  readonly requestsInFlight: number;
  /** Handlers that wait for the responses of a user, in a later request. */
  readonly suspendedCalls: number;
  /** The estimated memory, in bytes, of requests in progress, sessions and suspended calls; it counts towards `maxHeldBytes`. */
  readonly heldBytes: number;
  /** Bytes that wait for clients that read slowly. */
  readonly queuedBytes: number;
  /** Requests that were rejected before they reached the server, by status, since the handler was created; without those of `rateLimits`. */
  readonly refused: Readonly<Record<number, number>>;
  /** Whether the handler shuts down. */
  readonly isDraining: boolean;
}

function queuedBytes(streams: Iterable<{ readonly queuedBytes?: number }>): number {
  let bytes = 0;
  for (const stream of streams) bytes += stream.queuedBytes ?? 0;
  return bytes;
}

/** Counts what a handler does at the moment. @param handler of `createMcpHandler`, or `handler` of what `serveHttp` returns */
export function handlerStats({ endpoint }: McpHttpHandler): HandlerStats {
  const { sessions, legacySessions, streams, limits, refused, isDraining } = endpoint as Endpoint;
  return {
    sessions: sessions.size,
    legacySessions: legacySessions.size,
    streams: streams.size,
    requestsInFlight: limits.requests.total,
    suspendedCalls: limits.suspended.places.total,
    heldBytes: limits.memory.total,
    queuedBytes: queuedBytes(streams.all),
    refused: { ...refused },
    isDraining,
  };
}
