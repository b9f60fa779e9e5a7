import type { ClientLimits } from "./client-limits.js";
import type { HttpRequest, Responder } from "./host-adapter.js";
import type { HostedServer } from "./hosted-server.js";
import type { ManagedSession } from "./managed-session.js";
import type { OpenStreams } from "./open-streams.js";
import type { McpHandlerOptions } from "./options.js";
import type { OriginPolicy } from "./origin-policy.js";
import type { StreamEvents } from "./server-backplane.js";

/** The members of an endpoint that its sessions and exchanges use. */
export interface EndpointContext {
  readonly server: HostedServer;
  readonly options: McpHandlerOptions;
  readonly originPolicy: OriginPolicy;
  readonly streams: OpenStreams;
  readonly limits: ClientLimits;
  readonly sessions: {
    readonly idleMs: number;
    delete(session: ManagedSession): void;
    onUsed(session: ManagedSession): void;
  };
  readonly legacySessions: { delete(sessionId: string): void };
  readonly maxQueuedBytes: number;
  /** Whether the endpoint is closing: new requests are rejected, and sessions continue at other nodes. */
  readonly isDraining: boolean;
  /** Keeps the messages of streams; undefined when clients cannot resume any. */
  readonly events: StreamEvents | undefined;
  /**
   * Responds to a request that failed while it waited, with the HttpRejection, or with 503 for another error, which is reported.
   * @param to the message of the request
   */
  refuseLate(request: HttpRequest, responder: Responder, error: unknown, to?: unknown): void;
}
