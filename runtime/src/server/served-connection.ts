import type { Profile, RequestId, Side, Subscription } from "@mcpwright/protocol/contract";
import {
  META_CLIENT_CAPABILITIES,
  META_PROTOCOL_VERSION,
  NOTIFICATIONS_CANCELLED,
  NOTIFICATIONS_ELICITATION_COMPLETE,
  NOTIFICATIONS_INITIALIZED,
  PING,
  RESOURCES_READ,
  TOOLS_CALL,
} from "@mcpwright/protocol/names";
import { BaseConnection } from "../connection/base-connection.js";
import type { CallOptions } from "../connection/call-options.js";
import { log } from "../connection/logger.js";
import { hasCapability } from "../connection/capability.js";
import { type Change, changeNotificationMethod, coversUri } from "../connection/change.js";
import {
  invalidParamsError,
  type MethodHandlers,
  type DispatchEntry,
  DispatchTable,
} from "../connection/dispatch-table.js";
import type { RequestContext, RequestSender } from "../connection/request-context.js";
import type { HeaderParam } from "../http/header-param.js";
import type { SessionRecord } from "../http-server/session-record.js";
import {
  checkConvertedInputRequest,
  missingCapabilityError,
  missingClientCapability,
} from "../input-requests/check-input-request.js";
import { isInputRequired } from "../input-requests/input-required.js";
import type { Batch } from "../jsonrpc/batch.js";
import { withMeta } from "../jsonrpc/create-message.js";
import { connectionClosedError } from "../jsonrpc/error-conversion.js";
import {
  ErrorCode,
  ProtocolError,
  ResourceNotFoundError,
  SdkError,
  UrlElicitationRequiredError,
} from "../jsonrpc/errors.js";
import { isObject, ownMember } from "../jsonrpc/guards.js";
import { JSON_TEXT } from "../jsonrpc/serialize.js";
import type { JSONRPCErrorObject, JSONRPCNotification, JSONRPCRequest } from "../jsonrpc/message-types.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import { markHandled } from "../timing/mark-handled.js";
import { timerDelay, unref } from "../timing/timer-delay.js";
import type { MessageExtra } from "../transport/message-extra.js";
import type { Transport } from "../transport/transport.js";
import { type ClientDescription, supportsUrlElicitation, Session } from "./client-description.js";
import type { ServerConnection, ServerContext, ServerInternals } from "./contracts.js";
import { alreadyInitializedError } from "./handshake/identify-client.js";
import { resolveInputRequired } from "./handshake/input-requests.js";
import { identifyClient } from "./request-era.js";
import { ServerHandlerContext } from "./server-handler-context.js";
import type { NotificationContext } from "./server-handlers.js";
import { checkMeta } from "./stateless/identify-client.js";
import { resumeRequest, sealInputRequired } from "./stateless/input-requests.js";
import type { SubscriptionStream } from "./stateless/subscription-stream.js";

/** A server's end of one connection: serves requests of both eras, side by side. */
export class ServedConnection extends BaseConnection implements ServerConnection {
  /** @internal */
  setIndex: number | undefined;
  #subscriptionStreams: Set<SubscriptionStream> | undefined;
  #session: Session | undefined;
  #draining: Promise<void> | undefined;
  #drained: (() => void) | undefined;
  /** Aborts the signal of notification handlers when the connection ends. */
  #end: AbortController | undefined;

  constructor(
    readonly server: ServerInternals,
    transport: Transport,
  ) {
    super(transport, server.dispatchTable, server.options);
  }

  /** The handshake-era session, once a client has opened one. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** The open `subscriptions/listen` streams. */
  get subscriptionStreams(): Set<SubscriptionStream> {
    return (this.#subscriptionStreams ??= new Set<SubscriptionStream>());
  }

  get subscriptionCount(): number {
    return this.#subscriptionStreams?.size ?? 0;
  }

  get maxSubscriptions(): number {
    return this.options.limits?.subscriptions ?? 1_000;
  }

  /**
   * Registers handlers for this connection only; they take precedence over those of the server. Handlers of lists are
   * reported to `onerror` if the server has a stateless revision.
   */
  override handle(handlers: MethodHandlers): void {
    const { dispatchTable, revisions } = this.server;
    for (const { receives, revision } of revisions.stateless.values())
      for (const method of Object.keys(handlers))
        if (ownMember(receives.requests, method)?.pages !== undefined)
          this.report(
            new SdkError(
              "INVALID_CONFIGURATION",
              `${method}: in ${revision}, lists must not differ between connections; use handle of the server`,
            ),
          );
    if (this.dispatchTable === dispatchTable)
      this.dispatchTable = new DispatchTable(dispatchTable.isOffered, dispatchTable);
    super.handle(handlers);
  }

  /**
   * Opens the session that `initialize` negotiated.
   * @throws ProtocolError -32600 when another `initialize` was faster, which is possible with asynchronous middleware
   */
  openSession(session: Session): void {
    if (this.#session) throw alreadyInitializedError();
    this.#session = session;
    session.host = this;
    this.transport.setProtocolVersion?.(session.side.revision);
  }

  /** Serves a handshake-era client that opens no session: only its revision is known. */
  openAssumedSession(side: Side): void {
    const { capabilities, options } = this.server;
    const session = new Session(side, {}, undefined, options.logLevel ?? "info", capabilities);
    session.initialized = true;
    this.#session = session;
  }

  /** Serves a client that has opened its session at another node. Returns whether the server supports its revision. */
  restoreSession(record: SessionRecord): boolean {
    const side = this.server.revisions.handshake.find(({ revision }) => revision === record.revision);
    if (!side) return false;
    const { capabilities, info, logLevel, advertisedCapabilities } = record;
    const session = new Session(side, capabilities, info, logLevel, advertisedCapabilities);
    this.openSession(session);
    log(this.server.options, "info", { revision: side.revision }, "session restored");
    session.update(record);
    if (session.initialized) this.startKeepAlive();
    return true;
  }

  /** Notifies a client that the user is done with a URL elicitation, if the client supports URLs. */
  completeElicitation(elicitationId: string): void {
    const session = this.#session;
    if (session && supportsUrlElicitation(session))
      this.notifyInBackground(NOTIFICATIONS_ELICITATION_COMPLETE, { elicitationId });
  }

  /** Notifies the client of a change, if it has subscribed to it here. */
  notifyChanged(change: Change): void {
    const session = this.#session;
    const method = changeNotificationMethod(change);
    const params = change.uri === undefined ? undefined : { uri: change.uri };
    if (session?.initialized && session.side.profile.subscriptions === "unsolicited") {
      const wanted =
        change.uri === undefined
          ? hasCapability(session.advertisedCapabilities, `server.${change.kind}.listChanged`)
          : coversUri(session.subscriptions, change.uri);
      if (wanted) this.notifyInBackground(method, params);
    }
    for (const listen of this.#subscriptionStreams ?? [])
      if (listen.includes(change)) this.notifyInBackground(method, listen.withSubscriptionId(params), listen.id);
  }

  /**
   * Closes the connection gracefully: new requests are rejected, subscriptions end with their result, and running handlers
   * may finish.
   * @param graceMs milliseconds after which running handlers are aborted. Default: `5_000`
   */
  shutdown(graceMs = 5_000): Promise<void> {
    return (this.#draining ??= markHandled(this.#drain(graceMs)));
  }

  async #drain(graceMs: number): Promise<void> {
    const ended = [...(this.#subscriptionStreams ?? [])];
    this.#subscriptionStreams = undefined;
    for (const { end } of ended) end();
    if (this.inflight.size > 0)
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
        unref(setTimeout(resolve, timerDelay(graceMs)));
      });
    // On a transport whose streams cannot be closed individually, this notification ends a subscription.
    if (!this.transport.isStateless && this.isOpen)
      for (const { id } of ended) this.notifyInBackground(NOTIFICATIONS_CANCELLED, { requestId: id });
    await this.close();
  }

  /** Input requests wait for the user, so their default timeout is `inputTimeoutMs`. */
  override request(method: string, params: object | undefined, options?: CallOptions): Promise<unknown> {
    if (method === PING) return super.request(method, params, options);
    const { inputTimeoutMs = 600_000 } = this.server.options;
    const { timeoutMs = inputTimeoutMs, maxTotalMs = 6 * inputTimeoutMs } = options ?? {};
    return super.request(method, params, { ...options, timeoutMs, maxTotalMs });
  }

  override listen(): Subscription {
    throw new SdkError("NOT_IN_THIS_REVISION", "servers cannot subscribe; call listen on a client connection");
  }

  protected override get peer(): Session | undefined {
    return this.#session;
  }

  protected override identifySender(request: JSONRPCRequest, extra: MessageExtra | undefined): ClientDescription {
    if (this.#draining) throw new ProtocolError(ErrorCode.InternalError, "The server is shutting down");
    return identifyClient(this.server.revisions, this.#session, request, extra?.requestChecks);
  }

  protected override explainInvalidParams({ params }: JSONRPCRequest, { side }: RequestSender): void {
    if (side.profile.opening === "stateless") checkMeta(side, params?._meta);
  }

  override createContext(
    request: JSONRPCRequest,
    caller: RequestSender,
    route: DispatchEntry,
    extra: MessageExtra | undefined,
    batch: Batch | undefined,
  ): ServerContext {
    const client = caller as ClientDescription;
    const refusal = route.row.refuse?.(client.capabilities, request.params);
    if (refusal?.capability !== undefined) throw missingCapabilityError(client.side, refusal.capability);
    return new ServerHandlerContext(this, request, client, route, extra, batch);
  }

  protected override runHandler(call: RequestContext): unknown {
    const context = call as ServerContext;
    const { rateLimits } = this.server.options;
    // A request that another node passes on was counted there.
    if (!rateLimits || context.extra?.openedState !== undefined) return this.#checkHeaderParams(context);
    return rateLimits(context, () => this.#checkHeaderParams(context));
  }

  #checkHeaderParams(context: ServerContext): unknown {
    const { extra, method, params } = context;
    const checks = extra?.requestChecks;
    if (!checks || method !== TOOLS_CALL) return this.#run(context);
    const found = this.server.findHeaderParams(params?.["name"] as string, context);
    const check = (headers: readonly HeaderParam[] | undefined): unknown => {
      if (headers) checks.checkHeaderParams(headers, params?.["arguments"]);
      return this.#run(context);
    };
    return isPromiseLike(found) ? found.then(check) : check(found);
  }

  #run(context: ServerContext): unknown {
    const { params, row } = context;
    const bringsResponses =
      row.alternatives && (params?.["requestState"] !== undefined || params?.["inputResponses"] !== undefined);
    return bringsResponses ? resumeRequest(context) : this.server.dispatch(context);
  }

  protected override finishResult(call: RequestContext, result: object): object | Promise<object> {
    const context = call as ServerContext;
    // The result of another node is in its final form.
    if (!isInputRequired(result) || JSON_TEXT in result) return this.server.finishResult(context, result);
    return context.session ? resolveInputRequired(context, result) : sealInputRequired(context, result);
  }

  override errorObject(error: unknown, call?: RequestContext): JSONRPCErrorObject {
    const object = super.errorObject(error, call);
    if (!call) return object;
    const client = call.sender as ClientDescription;
    const { profile } = client.side;
    const uri = call.params?.["uri"];
    const isNotFound = (): boolean =>
      call.method === RESOURCES_READ &&
      object.code === ErrorCode.InvalidParams &&
      isObject(object.data) &&
      object.data["uri"] === uri;
    if (error instanceof ResourceNotFoundError || object.code === olderNotFoundCode || isNotFound()) {
      const { data = uri === undefined ? undefined : { uri } } = object;
      return { code: profile.notFoundCode, message: object.message, data };
    }
    if (error instanceof UrlElicitationRequiredError && !supportsUrlElicitation(client))
      return client.session || hasCapability(client.capabilities, "client.elicitation.url")
        ? { code: ErrorCode.InternalError, message: error.message }
        : super.errorObject(missingCapabilityError(client.side, "client.elicitation.url"));
    if (!isReserved(object.code, profile)) return object;
    this.reportUserError(
      new SdkError(
        "INVALID_CONFIGURATION",
        `${call.method}: error code ${object.code} is reserved by the protocol; use a code outside -32099 to -32020`,
        object,
      ),
    );
    return { code: ErrorCode.InternalError, message: object.message };
  }

  protected override handleNotification(notification: JSONRPCNotification): void {
    const { method, params } = notification;
    const side =
      this.server.revisions.stateless.get(params?._meta?.[META_PROTOCOL_VERSION] as string) ?? this.#session?.side;
    if (method === NOTIFICATIONS_INITIALIZED && this.#session) {
      this.#session.change({ initialized: true })?.catch((error: unknown) => this.report(error));
      this.startKeepAlive();
    }
    const route = side && this.dispatchTable.findNotification(side, method);
    if (!route) return;
    const session = this.#session;
    const declared = side === session?.side ? session.capabilities : params?._meta?.[META_CLIENT_CAPABILITIES];
    const sender = { side, capabilities: declared as object | undefined };
    const wrong = invalidParamsError(route.row, method, params, sender, this);
    if (wrong) return this.report(wrong);
    const context: NotificationContext = {
      connection: this,
      session,
      signal: (this.#end ??= new AbortController()).signal,
      notify: (method: string, more?: object) => this.notify(method, more),
    };
    Promise.resolve()
      .then(() => route.handler((params ?? {}) as never, context as never))
      .catch((error: unknown) => this.reportUserError(error));
  }

  /** Only handshake-era clients accept requests, and only those whose capabilities they declared. */
  protected override prepareParams(
    method: string,
    params: object | undefined,
    options: CallOptions,
  ): object | undefined {
    const { meta, isChecked } = options;
    const session = this.#session;
    if (!session)
      throw new SdkError("NOT_IN_THIS_REVISION", `${method} was not sent: clients of this revision accept no requests`);
    const row = ownMember(session.side.receives.results, method);
    if (!row)
      throw new SdkError(
        "NOT_IN_THIS_REVISION",
        `${method} was not sent: revision ${session.side.revision} does not have it`,
      );
    if (method !== PING && !session.initialized)
      throw new SdkError(
        "CANNOT_ASK",
        `${method} was not sent: the client has not sent ${NOTIFICATIONS_INITIALIZED} yet`,
      );
    const question = { method, params };
    const missing = isChecked ? undefined : missingClientCapability(session.side, session.capabilities, row, question);
    if (missing)
      throw new SdkError("CAPABILITY_NOT_SUPPORTED", `${method} was not sent: the peer did not declare ${missing}`);
    checkConvertedInputRequest(session.side, question);
    return meta && Object.keys(meta).length > 0 ? withMeta(params, meta) : params;
  }

  protected override sendCancellation(
    requestId: RequestId,
    _method: string,
    reason: string,
    relatedTo?: RequestId,
  ): void {
    this.notifyInBackground(NOTIFICATIONS_CANCELLED, { requestId, reason }, relatedTo);
  }

  protected override onIdle(): void {
    this.#drained?.();
  }

  /** Lets running handlers finish: their responses can still be sent. */
  protected override onInputEnd(): void {
    this.pending.failAll(connectionClosedError(undefined));
    this.server.suspendedCalls?.abortAll(this, undefined);
    this.shutdown().catch((error: unknown) => this.report(error));
  }

  protected override onEnd(error: Error | undefined): void {
    this.#subscriptionStreams = undefined;
    this.#drained?.();
    this.server.openConnections.delete(this);
    const { isSingleRequest, isStateless, isReleased } = this.transport;
    // The end of a single exchange is not the end of the client: suspended calls wait for its next request.
    if (isSingleRequest || isStateless) return;
    const revision = this.#session?.side.revision;
    const { options } = this.server;
    const details = { revision, reason: error?.message };
    if (revision !== undefined) log(options, "info", details, isReleased ? "session released" : "session closed");
    log(options, "debug", { reason: error?.message }, "connection closed");
    this.#end?.abort(connectionClosedError(error));
    this.server.suspendedCalls?.abortAll(this, error);
  }
}

/** The error code of older revisions for a resource that is not found. */
const olderNotFoundCode = -32002;

/** Whether a code is in the reserved range of a revision that has one, and is not one of the codes that it defines. */
function isReserved(code: number, { missingCapabilityCode, unsupportedVersionCode }: Profile): boolean {
  const within = (one: number): boolean => one <= -32020 && one >= -32099;
  if (!within(code) || !within(missingCapabilityCode)) return false;
  return ![missingCapabilityCode, unsupportedVersionCode, ErrorCode.HeaderMismatch].includes(code);
}
