import type { InputRequest } from "../../input-requests/check-input-request.js";
import type { ServerContext } from "../../server/contracts.js";
import type { InputRequestOptions } from "../../server/input-request-options.js";

/** A handler that goes on after its request was answered. */
export interface BackgroundRun {
  requestInput(key: string, request: InputRequest, options?: InputRequestOptions): Promise<unknown>;
  /** Sends a notification of the handler to the client, if there is a way. */
  notify(method: string, params: object | undefined): void;
}

/**
 * Creates a context for the same request that does not end with it: `run` decides how the handler requests input, and where its
 * notifications go.
 */
export function backgroundContext(request: ServerContext, run: BackgroundRun): ServerContext {
  const { connection, requestId: id, method, params, sender, entry, extra } = request;
  const kept = extra && { principal: extra.principal, ...(extra.http && { http: extra.http }) };
  const sent = { jsonrpc: "2.0", id, method, ...(params && { params }) } as const;
  const context = connection.createContext(sent, sender, entry, kept, undefined) as ServerContext;
  const { inputResponses, requestState, errorToResult } = request;
  return Object.assign(context, {
    background: run,
    inputResponses,
    requestState,
    errorToResult,
    requestInput: run.requestInput.bind(run),
    notifyInBackground: run.notify.bind(run),
    sendNotification(method: string, params?: object) {
      run.notify(method, params);
      return Promise.resolve();
    },
  });
}

/** The run that a context was created for; undefined for the context of a request. */
export function runOf(context: ServerContext): BackgroundRun | undefined {
  return (context as { readonly background?: BackgroundRun }).background;
}
