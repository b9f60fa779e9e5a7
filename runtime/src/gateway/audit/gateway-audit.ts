import type { Middleware } from "../../connection/middleware.js";
import type { ServerContext } from "../../server/contracts.js";

/** Records the requests that pass through a gateway; `auditLog` returns it. */
export interface GatewayAudit {
  /** @param report receives the errors of the log, which no client gets */
  attachGateway(report: (error: Error) => void): AttachedAudit;
}

export interface AttachedAudit {
  /** Wraps the handling of each request. */
  readonly middleware: Middleware<ServerContext>;
  /** Called for a request that fails before the middleware. */
  refused(context: ServerContext, error: unknown): void;
  /** Called when it is known which server serves a request. */
  routed(context: ServerContext, server: string): void;
}
