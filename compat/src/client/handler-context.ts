import type { ClientContext } from "../shared/contexts.js";
import type { Notification, RequestId, RequestMeta } from "../types/index.js";

/** A request of a server, as the runtime passes it on. Requests that arrived in a result have neither an id nor `notify`. */
export interface ReceivedRequest {
  readonly method: string;
  readonly params: object;
  readonly native: {
    readonly signal: AbortSignal;
    readonly requestId?: RequestId;
    readonly notify?: (method: string, params?: object) => Promise<void>;
  };
}

/** The members of a client that contexts use. */
export interface ContextOwner {
  readonly sessionId: string | undefined;
  /** Sends a request on behalf of the one that is being handled. */
  readonly send: (relatedTo: RequestId | undefined) => ClientContext["mcpReq"]["send"];
  readonly notify: (notification: Notification) => Promise<void>;
}

/** Creates what handlers of requests get beside the request. */
export function handlerContext({ method, params, native }: ReceivedRequest, owner: ContextOwner): ClientContext {
  const { _meta } = params as { readonly _meta?: RequestMeta };
  const id = native.requestId ?? 0;
  return {
    sessionId: owner.sessionId,
    mcpReq: {
      id,
      method,
      _meta,
      requestState: () => undefined,
      signal: native.signal,
      send: owner.send(native.requestId),
      notify: (notification) =>
        native.notify ? native.notify(notification.method, notification.params) : owner.notify(notification),
    },
    http: undefined,
  };
}
