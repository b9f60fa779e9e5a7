import type { HostedServerSource } from "../http-server/hosted-server.js";
import { toHostedServer } from "../http-server/hosted-server.js";
import type { ServerInternals } from "../server/contracts.js";

/** What a server does at the moment, in this process. */
export interface ServerStats {
  /** Open connections: clients on stdio and in memory, sessions over HTTP, and each request over HTTP without a session. */
  readonly connections: number;
  /** Connections with a session, which `initialize` opened. */
  readonly sessions: number;
  /** Requests whose handler has not ended, also those of `subscriptions/listen`. */
  readonly requestsInFlight: number;
  /** Streams of `subscriptions/listen`. */
  readonly subscriptions: number;
  /** Handlers that wait for the responses of a user, in a later request. */
  readonly suspendedCalls: number;
  /** Requests that `rateLimits` has refused since the server was created. */
  readonly refused: number;
}

/**
 * Counts what a server does at the moment. It looks at each open connection, so do not call it for each request.
 * @param server an `McpServer` or a `Server`
 * @example
 * ```ts
 * setInterval(() => console.error(serverStats(server)), 60_000).unref();
 * ```
 * @throws SdkError `INVALID_CONFIGURATION` when it is something else
 */
export function serverStats(server: HostedServerSource): ServerStats {
  const { openConnections, suspendedCalls, refused } = toHostedServer(server) as unknown as ServerInternals;
  const counts = { connections: 0, sessions: 0, requestsInFlight: 0, subscriptions: 0 };
  for (const connection of openConnections) {
    counts.connections++;
    if (connection.session) counts.sessions++;
    counts.requestsInFlight += connection.inflight.size;
    counts.subscriptions += connection.subscriptionCount;
  }
  return { ...counts, suspendedCalls: suspendedCalls?.size ?? 0, refused };
}
