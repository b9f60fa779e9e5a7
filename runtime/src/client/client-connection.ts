import type {
  NotificationMessage,
  RequestId,
  RequestOptions,
  ResultDescriptor,
  Side,
  Subscription,
} from "@mcpwright/protocol/contract";
import {
  INITIALIZE,
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_PROTOCOL_VERSION,
  META_SUBSCRIPTION_ID,
  NOTIFICATIONS_CANCELLED,
  PING,
  SERVER_DISCOVER,
} from "@mcpwright/protocol/names";
import type { ClientCapabilities, Implementation, LoggingLevel } from "../authoring.js";
import { BaseConnection } from "../connection/base-connection.js";
import type { CallOptions } from "../connection/call-options.js";
import { missingCapability } from "../connection/capability.js";
import type { ConnectionOptions } from "../connection/connection-options.js";
import { DispatchTable, invalidParamsError, type MethodHandlers } from "../connection/dispatch-table.js";
import { reportReservedMeta } from "../connection/reserved-meta.js";
import type { RequestContext, RequestSender } from "../connection/request-context.js";
import type { Batch } from "../jsonrpc/batch.js";
import { replaceMeta, withMeta } from "../jsonrpc/create-message.js";
import { connectionClosedError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import { ownMember } from "../jsonrpc/guards.js";
import type { JSONRPCNotification, JSONRPCRequest, Meta, Params } from "../jsonrpc/message-types.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import type { Transport } from "../transport/transport.js";
import type { NegotiationResult } from "./negotiation-result.js";
import { SubscriptionEvents } from "./subscription-events.js";

/** A client's end of one connection. */
export class ClientConnection extends BaseConnection {
  #side: Side;
  #agreement: NegotiationResult | undefined;
  #meta: Meta | undefined;
  #logLevel: LoggingLevel | undefined;
  readonly #closeController = new AbortController();
  #onclose: ((error: Error | undefined) => void) | undefined;

  /** @param side the revision that the client uses until one is negotiated @internal */
  constructor(
    transport: Transport,
    side: Side,
    handlers: DispatchTable,
    readonly info: Implementation,
    protected override readonly options: ConnectionOptions & { readonly capabilities?: ClientCapabilities },
    onclose?: (error: Error | undefined) => void,
  ) {
    super(transport, handlers, options);
    this.#side = side;
    this.#onclose = onclose;
  }

  /** @internal */
  override attach(): void {
    super.attach();
    const pause: Transport["onwait"] = (id) => this.pending.pauseTimeout(id);
    this.transport.onwait = pause;
  }

  get side(): Side {
    return this.#side;
  }

  protected override get peer(): RequestSender {
    return { side: this.#side, capabilities: this.#agreement?.serverCapabilities };
  }

  /** The capabilities of the client, and those of the extensions of the revision in use. */
  get capabilities(): ClientCapabilities {
    const { capabilities = {} } = this.options;
    return this.#side.withExtensions?.(capabilities) ?? capabilities;
  }

  /** Aborted when the connection ends. */
  get closeSignal(): AbortSignal {
    return this.#closeController.signal;
  }

  get negotiated(): NegotiationResult | undefined {
    return this.#agreement;
  }

  /** Uses this revision from now on, as a trial or as the negotiated one. @internal */
  setRevision(side: Side): void {
    this.#side = side;
    this.#meta = undefined;
    this.transport.setRevision?.(side);
  }

  /** @internal */
  setNegotiated(agreement: NegotiationResult): void {
    this.setRevision(agreement.side);
    this.#agreement = agreement;
    this.startKeepAlive();
  }

  /** Whether the server responds. */
  isAlive(options?: CallOptions): Promise<boolean> {
    return this.request(this.#side.profile.ping ? PING : SERVER_DISCOVER, undefined, options).then(
      () => true,
      () => false,
    );
  }

  /** The log level that each request asks for, in revisions where requests carry it. */
  set logLevel(level: LoggingLevel | undefined) {
    this.#logLevel = level;
    this.#meta = undefined;
  }

  /** Registers handlers for this connection only. */
  override handle(handlers: MethodHandlers): void {
    if (!this.dispatchTable.parent)
      this.dispatchTable = new DispatchTable(this.dispatchTable.isOffered, this.dispatchTable);
    super.handle(handlers);
  }

  /** The descriptor of the result of a method. @throws SdkError `NOT_IN_THIS_REVISION` @internal */
  resultRow(method: string): ResultDescriptor {
    const row = ownMember(this.#side.receives.results, method);
    if (!row) {
      const message = `${method} was not sent: revision ${this.#side.revision} does not have it`;
      throw new SdkError("NOT_IN_THIS_REVISION", message);
    }
    return row;
  }

  override listen(method: string, params: object | undefined, options: RequestOptions = {}): Subscription {
    const { stream } = this.resultRow(method);
    if (!stream) throw new SdkError("NOT_IN_THIS_REVISION", `${method} does not open a stream`);
    const controller = new AbortController();
    const events = new SubscriptionEvents(stream.acknowledged, (reason) => controller.abort(reason));
    const signal = options.signal ? AbortSignal.any([options.signal, controller.signal]) : controller.signal;
    const { timeoutMs = Infinity, maxTotalMs = Infinity } = options;
    this.startRequest(method, params, { ...options, timeoutMs, maxTotalMs, signal }, events);
    return events;
  }

  /** In the stateless era servers send no requests, and clients send no responses. */
  protected override identifySender(request: JSONRPCRequest): RequestSender | undefined {
    if (this.#side.profile.opening === "handshake") return this.peer;
    // A handshake server may ping before the revision is negotiated.
    if (request.method === PING && !this.#agreement) this.send({ jsonrpc: "2.0", id: request.id, result: {} });
    else this.report(new SdkError("INVALID_MESSAGE", "the server sent a request, which its revision forbids", request));
    return undefined;
  }

  /** Stateless servers get no error responses: errors are responses to requests, and these servers send no requests. */
  protected override sendError(id: RequestId | undefined, error: unknown, batch?: Batch): void {
    if (id !== undefined && this.#side.profile.opening === "handshake") super.sendError(id, error, batch);
    else this.report(error);
  }

  protected override runHandler(call: RequestContext): unknown {
    const outcome = call.handler((call.params ?? {}) as never, call as never);
    if (!isPromiseLike(outcome)) return outcome;
    // The server waits for this response, which may need user input: pause the time-out of the related request.
    const release = this.pending.pauseTimeout(call.extra?.relatedRequestId);
    call.signal.addEventListener("abort", release);
    outcome.then(release, release);
    return outcome;
  }

  protected override prepareParams(
    method: string,
    params: object | undefined,
    options: CallOptions,
  ): object | undefined {
    const row = this.resultRow(method);
    const declared = this.peer.capabilities;
    const missing =
      declared && (missingCapability(row, params, "server", declared) ?? row.refuse?.(declared, params)?.capability);
    if (missing)
      throw new SdkError(
        "CAPABILITY_NOT_SUPPORTED",
        `${method} was not sent: the server does not offer ${missing.slice(7)}`,
      );
    const { meta } = options;
    reportReservedMeta(this.options, method, meta, this.#side.profile);
    if (this.#side.profile.opening === "handshake")
      return withoutPerRequestKeys(meta ? withMeta(params, meta) : params);
    const own = (this.#meta ??= this.#ownMeta());
    const given = (params as { readonly _meta?: Meta } | undefined)?._meta;
    // `Object.assign`, because V8 is slow to spread several objects.
    return replaceMeta(params, given || meta ? Object.assign({}, given, meta, own) : own);
  }

  #ownMeta(): Meta {
    return {
      [META_PROTOCOL_VERSION]: this.#side.revision,
      [META_CLIENT_CAPABILITIES]: this.capabilities,
      [META_CLIENT_INFO]: this.info,
      ...(this.#logLevel && { [META_LOG_LEVEL]: this.#logLevel }),
    };
  }

  protected override sendCancellation(requestId: RequestId, method: string, reason: string): void {
    // `initialize` must not be cancelled, and cancelling a ping is not worth a message.
    const silent = method === INITIALIZE || method === PING;
    const { cancellation } = this.#side.profile;
    if (this.transport.cancelRequest && (silent || cancellation === "notificationOnStdio"))
      this.transport.cancelRequest(requestId);
    else if (!silent) this.notifyInBackground(NOTIFICATIONS_CANCELLED, { requestId, reason });
  }

  protected override handleNotification(notification: JSONRPCNotification): void {
    const { method, params } = notification;
    const row = ownMember(this.#side.receives.notifications, method);
    if (!row) return;
    const wrong = invalidParamsError(row, method, params, this.peer, this);
    if (wrong) return this.report(wrong);
    const streamId = params?._meta?.[META_SUBSCRIPTION_ID];
    if (streamId !== undefined) return this.#deliverToStream(streamId, notification);
    if (method === NOTIFICATIONS_CANCELLED) {
      // The server also ends a stream with this notification, in case its result was lost.
      const id = params?.["requestId"] as RequestId;
      if (!this.#stream(id)) return;
      this.pending.settle({ id, result: {} });
      // Nothing else arrives, and the transport may hold a response open for the stream.
      return this.transport.cancelRequest?.(id);
    }
    this.runNotificationHandler(notification);
  }

  #deliverToStream(id: unknown, notification: JSONRPCNotification): void {
    const stream = this.#stream(id);
    if (stream?.accept(notification)) return;
    const what = stream ? "out of order" : "for an unknown subscription";
    this.report(new SdkError("INVALID_MESSAGE", `received ${notification.method} ${what}`, notification));
  }

  #stream(id: unknown): SubscriptionEvents | undefined {
    const waiting = this.pending.waiterOf(id);
    return waiting instanceof SubscriptionEvents ? waiting : undefined;
  }

  /** @internal */
  runNotificationHandler({ method, params }: NotificationMessage): void {
    const route = this.dispatchTable.findNotification(this.#side, method);
    if (!route) return;
    const context = { connection: this, signal: this.closeSignal, notify: this.notify.bind(this) };
    Promise.resolve()
      .then(() => route.handler((params ?? {}) as never, context as never))
      .catch((error: unknown) => this.reportUserError(error));
  }

  protected override onInputEnd(): void {
    this.close().catch((error: unknown) => this.report(error));
  }

  protected override onEnd(error: Error | undefined): void {
    this.#closeController.abort(connectionClosedError(error));
    this.#onclose?.(error);
  }
}

const statelessKeys = [META_PROTOCOL_VERSION, META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_LOG_LEVEL];

/** Removes the `_meta` keys of a stateless request from params that are passed on in a handshake revision. */
function withoutPerRequestKeys(params: object | undefined): object | undefined {
  const given = (params as Params | undefined)?._meta;
  if (!given || !statelessKeys.some((key) => given[key] !== undefined)) return params;
  return {
    ...params,
    _meta: Object.fromEntries(Object.entries(given).filter(([key]) => !statelessKeys.includes(key))),
  };
}
