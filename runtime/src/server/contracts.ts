import type { HandlerContext, Side, Subscription } from "@mcpwright/protocol/contract";
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  Implementation,
  InputRequests,
  InputResponses,
  ListRootsResult,
  LoggingLevel,
  ServerCapabilities,
} from "../authoring.js";
import type { SwapRemoveItem, SwapRemoveSet } from "../collections/swap-remove-set.js";
import type { BaseConnection } from "../connection/base-connection.js";
import type { Change } from "../connection/change.js";
import type { DispatchTable } from "../connection/dispatch-table.js";
import type { MessageConverter } from "../connection/message-converter.js";
import type { ResponseWaiter } from "../connection/pending-requests.js";
import type { HandlerOutcome, RequestContext } from "../connection/request-context.js";
import type { Revisions } from "../connection/revisions.js";
import type { HeaderParam } from "../http/header-param.js";
import type { ServerNode } from "../http-server/server-backplane.js";
import type { SessionRecord } from "../http-server/session-record.js";
import type { InputRequest } from "../input-requests/check-input-request.js";
import type { UrlElicitationParams } from "../input-requests/input-required.js";
import type { Meta } from "../jsonrpc/message-types.js";
import type { StateSealer } from "../request-state/state-sealer.js";
import type { BaseServerOptions } from "./base-server-options.js";
import type { ClientDescription, Session } from "./client-description.js";
import type { ServerHooks } from "./extension-hooks.js";
import type { InputRequestOptions } from "./input-request-options.js";
import type { SubscriptionStream } from "./stateless/subscription-stream.js";

/**
 * Sends a notification that belongs to the request of a handler. Does nothing after the response.
 * @throws SdkError `NOT_IN_THIS_REVISION` (a rejection) when the peer's revision has no such notification from this side
 * @throws TypeError (a rejection) when the params do not match the schema
 */
export type Notify<Notifications> = object extends Notifications
  ? HandlerContext["notify"]
  : {
      // A method, so that contexts of servers that know more methods are contexts, too.
      send<Method extends keyof Notifications & string>(
        method: Method,
        params?: Notifications[Method] & object,
      ): Promise<void>;
    }["send"];

/**
 * The request that a server's handler serves, and everything that the handler can do for it. `Notifications` maps the notifications
 * that it may send to their params.
 */
export interface ServerContext<Notifications extends object = object> extends RequestContext<ClientDescription> {
  readonly notify: Notify<Notifications>;
  readonly connection: ServerConnection;
  /** Responses to the input requests of earlier rounds, by key. */
  inputResponses: InputResponses | undefined;
  /** Responses without a `requestState`, so their input requests are unknown. @internal */
  unmatchedResponses: InputResponses | undefined;
  /** The `requestState` that the handler returned in the previous round. */
  requestState: unknown;
  /** The number of rounds of input requests so far. */
  round: number;
  /** Whether a response of this round is invalid, so that its input request is sent once more. @internal */
  hasInvalidResponse: boolean;
  /** Converts an error of an input request to a result; if undefined, the error is the response. @internal */
  errorToResult: ((error: unknown, context: ServerContext) => object) | undefined;
  /** Set when the handler waits, or has waited, for responses in later requests. @internal */
  suspended: SuspendedCall | undefined;
  /** The waiting handler that this request resumes. @internal */
  resumes: SuspendedCall | undefined;
  /** Passes an outcome of a waiting handler to the middleware of this request, if it has any. @internal */
  reply: ResponseWaiter | undefined;
  /** The client: its capabilities and its name. */
  readonly client: ClientDescription;
  /** The trace context of the request (W3C Trace Context, Baggage), for requests that you send on its behalf. */
  readonly traceContext: Meta;
  /** State that is kept between the requests of a handshake-era client; undefined in the stateless era. */
  readonly session: Session | undefined;
  /** The request on whose stream messages of this handler go now: a later one after it was suspended, or none. @internal */
  readonly activeContext: ServerContext | undefined;
  /** Requests input for `elicit`, `sample` and `listRoots`. @internal */
  requestInput(key: string, request: InputRequest, options?: InputRequestOptions): Promise<unknown>;

  /**
   * Requests input from the user and waits. In the handshake era the server sends a request; in the stateless era the
   * handler is suspended until the client's retry contains the response, and is not run again. Only handlers of
   * `tools/call`, `prompts/get` and `resources/read` can request input in the stateless era.
   * @param key the key of the input request, unique within this request
   * @example
   * ```ts
   * const requestedSchema = { type: "object", properties: { city: { type: "string" } } } as const;
   * server.registerTool("weather", {}, async (context) => {
   *   const { action, content } = await context.elicit("city", { mode: "form", message: "Which city?", requestedSchema });
   *   return { content: [{ type: "text", text: action === "accept" ? String(content?.["city"]) : "No city" }] };
   * });
   * ```
   * @throws MissingRequiredClientCapabilityError before anything is sent, when the client does not declare the capability
   * @throws SdkError `CANNOT_ASK` when input cannot be requested here; the signal's reason when the wait ends without a
   *   response
   */
  readonly elicit: (
    key: string,
    params: ElicitRequestParams | UrlElicitationParams,
    options?: InputRequestOptions,
  ) => Promise<ElicitResult>;
  /**
   * Requests a completion by the client's model; otherwise like `elicit`.
   * @deprecated since 2026-07-28: call the provider's API from the server.
   */
  readonly sample: (
    key: string,
    params: CreateMessageRequestParams,
    options?: InputRequestOptions,
  ) => Promise<CreateMessageResult>;
  /**
   * Requests the folders that the client works in; otherwise like `elicit`.
   * @deprecated since 2026-07-28: take them as tool parameters.
   */
  readonly listRoots: (key: string, options?: InputRequestOptions) => Promise<ListRootsResult>;
  /**
   * Sends a log message, if the client wants that level. A request may send 2,000, then 100 a second; further ones are dropped,
   * which is reported to `onerror` once.
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` when the server does not declare `logging`
   * @deprecated since 2026-07-28: write to stderr, or use OpenTelemetry.
   */
  readonly log: (level: LoggingLevel, data: unknown, logger?: string) => void;
  /** Whether the client wants log messages of this level. */
  readonly isLogLevelEnabled: (level: LoggingLevel) => boolean;
}

/** A server's end of one connection: serves requests of both eras, side by side. */
export interface ServerConnection extends BaseConnection, SwapRemoveItem {
  /** @internal */
  readonly server: ServerInternals;
  /** The handshake-era session, once a client has opened one. */
  readonly session: Session | undefined;
  /** The open `subscriptions/listen` streams. @internal */
  readonly subscriptionStreams: Set<SubscriptionStream>;
  /** @internal */
  readonly subscriptionCount: number;
  /** @internal */
  readonly maxSubscriptions: number;

  /**
   * Opens the session that `initialize` negotiated.
   * @throws ProtocolError -32600 when another `initialize` was faster, which is possible with asynchronous middleware
   * @internal
   */
  openSession(session: Session): void;
  /** Serves a handshake-era client that opens no session: only its revision is known. @internal */
  openAssumedSession(side: Side): void;
  /** Serves a client that has opened its session at another node. Returns whether the server supports its revision. @internal */
  restoreSession(record: SessionRecord): boolean;
  /** Notifies a client that the user is done with a URL elicitation, if the client supports URLs. */
  completeElicitation(elicitationId: string): void;
  /** Notifies the client of a change, if it has subscribed to it here. */
  notifyChanged(change: Change): void;
  /**
   * Ends the connection gracefully: new requests are rejected, subscriptions end with their result, and running handlers
   * can finish.
   * @param graceMs milliseconds after which running handlers are aborted. Default: `5_000`
   */
  shutdown(graceMs?: number): Promise<void>;
  listen(): Subscription;
}

/** Finds the arguments that a tool repeats in HTTP headers. */
export type HeaderParamFinder = (
  name: string,
  context: ServerContext,
) => readonly HeaderParam[] | undefined | Promise<readonly HeaderParam[]>;

/** The members of a server that its connections and the two eras use. */
export interface ServerInternals extends ServerHooks<ServerContext> {
  readonly info: Implementation;
  readonly options: BaseServerOptions & {
    readonly canSubscribe?: (uri: string, context: ServerContext) => boolean | Promise<boolean>;
    readonly rateLimits?: (context: ServerContext, run: () => unknown) => unknown;
  };
  readonly capabilities: ServerCapabilities;
  /** The capabilities for clients of a revision: those of the server, and those of its extensions. */
  capabilitiesIn(side: Side, isForPrincipal?: boolean): ServerCapabilities;
  readonly revisions: Revisions;
  readonly dispatchTable: DispatchTable;
  readonly openConnections: SwapRemoveSet<ServerConnection>;
  readonly sealer: StateSealer;
  readonly stateTtlMs: number;
  readonly suspendedCalls: SuspendedCallStore | undefined;
  /** The server as other nodes see it; undefined if there is no backplane. */
  readonly node: ServerNode | undefined;
  readonly maxRounds: number;
  /** How many requests `rateLimits` has refused. */
  refused: number;
  readonly hasMiddleware: boolean;
  readonly findHeaderParams: HeaderParamFinder;
  /** Converts input requests for clients of other revisions. */
  readonly inputRequestConverter: MessageConverter;
  /** Runs the handler of a request, through the middleware. */
  dispatch(context: ServerContext): unknown;
  /** Completes a handler's result as the client's revision requires it. */
  finishResult(context: ServerContext, result: unknown): object;
  /** Adds the members of every result of the stateless era: its type, and the server's name. */
  withResultType(side: Side, result: object): object;
}

/** A handler that waits for responses in the stateless era: each arrives with a later request, which resumes it. */
export interface SuspendedCall {
  /** The request that the handler was started for. */
  readonly context: ServerContext;
  /** The request that is open now; undefined until the client's next request. */
  readonly activeRequest: ServerContext | undefined;
  requestInput(key: string, request: InputRequest): Promise<unknown>;
  /** Called with the client's next request, before its middleware. */
  claim(carrier: ServerContext): void;
  /** Continues the handler with the responses of the request that claimed it, and returns the result of that request. */
  resume(carrier: ServerContext): Promise<unknown>;
  /** Called when the handler has ended; without an open request, the outcome waits for the next one. */
  onOutcome(outcome: HandlerOutcome): void;
  /** Called when a request is answered: aborts the handler, unless it has ended or waits for another request. */
  onAnswered(carrier: ServerContext): void;
  /** Whether the handler has asked, and the open request has not been answered yet. */
  isAsking(carrier: ServerContext): boolean;
  /** Seals the `input_required` result of the open request, and waits for the client's next one. */
  park(carrier: ServerContext, inputRequests: InputRequests | undefined): Promise<object>;
  /** Rejects the handler's waits with `reason`, so that its `finally` runs: no responses will arrive. */
  abort(reason: unknown): void;
}

/** The suspended calls of a server, by single-use id. */
export interface SuspendedCallStore {
  /** @throws ProtocolError -32603 when the limit is reached */
  add(id: string, call: SuspendedCall): void;
  /** Removes a suspended call and returns it. */
  take(id: string): SuspendedCall | undefined;
  readonly size: number;
  /** Aborts the calls of a connection that has closed. */
  abortAll(connection: ServerConnection, cause: Error | undefined): void;
}
