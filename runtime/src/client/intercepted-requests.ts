import type { RequestContext } from "../connection/request-context.js";
import { markHandled } from "../timing/mark-handled.js";
import type {
  ClientExtension,
  ClientHost,
  ClientInternals,
  HandlerInterceptor,
  RequestInterceptor,
} from "./client-extension.js";
import type { Reconnector } from "./reconnector.js";
import type { SendOptions } from "./send-options.js";

type Parts = Omit<ClientInternals, "requests">;

/** Sends the requests of a client, and runs its handlers, through what its extensions put in front of them. */
export class InterceptedRequests {
  /** By method. */
  readonly interceptors = new Map<string, RequestInterceptor>();
  #intercept: HandlerInterceptor = (_params, context, run) => run(context);

  constructor(
    readonly client: ClientHost,
    readonly reconnector: Reconnector,
    readonly parts: Parts,
  ) {
    for (const extension of client.options.extensions ?? [])
      (extension as ClientExtension).attachClient?.(client, { ...parts, requests: this });
  }

  send(method: string, params: object | undefined, options: SendOptions | undefined): Promise<unknown> {
    const interceptor = this.interceptors.get(method);
    if (!interceptor) return this.sendUnchanged(method, params, options);
    return markHandled(interceptor(params, options, (...changed) => this.sendUnchanged(method, ...changed)));
  }

  /** Sends a request without interceptors. Waits while the client reconnects. */
  sendUnchanged(method: string, params: object | undefined, options: SendOptions | undefined): Promise<unknown> {
    const reopening = this.reconnector.whenReconnected(options);
    const send = (): Promise<unknown> => this.parts.pipeline().send(method, params, options);
    // Callers do not need to know that a session is being reopened, or the server restarted.
    return markHandled(this.client.era && !reopening ? send() : Promise.resolve(reopening).then(send));
  }

  handle(method: string, params: Readonly<Record<string, unknown>>, context: RequestContext): Promise<object> {
    const { requestHandlers } = this.parts;
    return this.#intercept(params, context, (own) =>
      requestHandlers.handle(context.sender.side, context.row, method, params, own),
    );
  }

  interceptHandlers(interceptor: HandlerInterceptor): void {
    this.#intercept = inFrontOf(this.#intercept, interceptor);
  }
}

function inFrontOf(inner: HandlerInterceptor, outer: HandlerInterceptor): HandlerInterceptor {
  return (params, context, run) => outer(params, context, (own) => inner(params, context, () => run(own)));
}
