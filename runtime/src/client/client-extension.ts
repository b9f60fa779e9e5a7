import type { Extension, ExtensionTypes } from "@mcpwright/protocol/contract";
import type { ListKind } from "../connection/change.js";
import type { DispatchTable } from "../connection/dispatch-table.js";
import type { RequestContext } from "../connection/request-context.js";
import type { ClientConnection } from "./client-connection.js";
import type { CoreClientOptions } from "./client-options.js";
import type { ClientRequestHandlers, ServerRequestContext } from "./client-request-handlers.js";
import type { Era } from "./connect-options.js";
import type { RequestPipeline } from "./request-pipeline.js";
import type { SendOptions } from "./send-options.js";

/** Sends a request of the program: it can change the request, its options and its result, and send other requests. */
export type RequestInterceptor = (
  params: object | undefined,
  options: SendOptions | undefined,
  /** Sends the request. The result may be one that an extension adds to the method. */
  send: (params: object | undefined, options: SendOptions | undefined) => Promise<unknown>,
) => Promise<unknown>;

/** Responds to a request of the server for which the program has a handler. `run` runs that handler. */
export type HandlerInterceptor = (
  params: Readonly<Record<string, unknown>>,
  context: RequestContext,
  run: (context: ServerRequestContext) => Promise<object>,
) => Promise<object>;

/** The parts of a client that its extensions use. */
export interface ClientInternals {
  /** Handlers of messages from servers. */
  readonly dispatchTable: DispatchTable;
  /** Handlers of the program. */
  readonly requestHandlers: ClientRequestHandlers;
  /** `outdated` has the methods whose cached results are out of date when a list changes; an extension adds its own. */
  readonly changes: { readonly outdated: Readonly<Record<ListKind, string[]>> };
  /** Sends requests over the open connection. @throws SdkError `NOT_CONNECTED` */
  readonly pipeline: () => RequestPipeline;
  readonly requests: {
    /** What is in front of the requests of the program, by method. */
    readonly interceptors: Map<string, RequestInterceptor>;
    /** Puts an interceptor in front of its handlers, and of the interceptors before. */
    interceptHandlers(interceptor: HandlerInterceptor): void;
    /** Sends a request without interceptors. Waits while the client reconnects. */
    sendUnchanged(method: string, params: object | undefined, options: SendOptions | undefined): Promise<unknown>;
  };
}

/** The members of a client that its extensions use. */
export interface ClientHost {
  readonly options: CoreClientOptions;
  /** The era of the server; undefined without a connection. */
  readonly era: Era | undefined;
  /** The open connection. @throws SdkError `NOT_CONNECTED` */
  readonly connection: ClientConnection;
}

/** An extension with a behaviour of its own on clients. Other extensions only define messages. */
export interface ClientExtension<Types extends ExtensionTypes = ExtensionTypes> extends Extension<Types> {
  /** Called once per client, at the end of its constructor. */
  attachClient?(client: ClientHost, internals: ClientInternals): void;
}
