import type { ForwardedRequest } from "../forward/forwarded-request.js";
import type { ServerSurface } from "../pinning/server-surface.js";

/** Looks at the texts of servers for hidden and confusable characters: `reviewing()` creates it. */
export interface GatewayReview {
  /** Called with each list and the instructions that a server sends. */
  reviewSurface(server: string, surface: ServerSurface, report: (error: Error) => void): void;
  /** Called with each result of a call, prompt or resource. */
  readonly reviewResult?: (
    server: string,
    request: ForwardedRequest,
    result: object,
    report: (error: Error) => void,
  ) => void;
}
