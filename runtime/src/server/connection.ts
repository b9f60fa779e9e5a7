import type { Profile, RequestId, Side, Subscription } from "@mcpwright/protocol/contract";
import {
  META_PROTOCOL_VERSION,
  NOTIFICATIONS_CANCELLED,
  NOTIFICATIONS_ELICITATION_COMPLETE,
  NOTIFICATIONS_INITIALIZED,
  PING,
} from "@mcpwright/protocol/names";
import { checkFinal, lackedBy } from "../ask/check.js";
import { isInputRequired } from "../ask/question.js";
import type { Batch } from "../engine/batch.js";
import type { Call, Caller } from "../engine/call.js";
import { hasCapability } from "../engine/capability.js";
import { timerMs, unref } from "../engine/timer-ms.js";
import {
  ErrorCode,
  ProtocolError,
  ResourceNotFoundError,
  SdkError,
  UrlElicitationRequiredError,
} from "../engine/errors.js";
import {
  type JSONRPCErrorObject,
  type JSONRPCNotification,
  type JSONRPCRequest,
  ownMember,
} from "../engine/json-rpc.js";
import { closedError, withMeta } from "../engine/messages.js";
import { Peer } from "../engine/peer.js";
import type { CallOptions } from "../engine/pending.js";
import type { Listed } from "../engine/roster.js";
import { paramsError, type Handlers, type Route, Routes } from "../engine/routes.js";
import type { MessageExtra, Transport } from "../engine/transport.js";
import { admitBySession, alreadyInitialized } from "../handshake/admission.js";
import { answerBySession } from "../handshake/questions.js";
import { admitByMeta, checkMeta } from "../per-request/admission.js";
import type { Listen } from "../per-request/listen.js";
import { resume, sealRound } from "../per-request/questions.js";
import { type Change, changeMethod, watches } from "./change.js";
import { type ClientFacts, opensUrls, Session } from "./client-facts.js";
import { ServerContext } from "./context.js";
import type { NotificationContext, Server } from "./server.js";

/** A server's end of one connection: serves requests of both eras, side by side. */
export class ServerConnection extends Peer implements Listed {
  /** @internal */
  place: number | undefined;
  #listens: Set<Listen> | undefined;
  #session: Session | undefined;
  #draining: Promise<void> | undefined;
  #drained: (() => void) | undefined;
  /** Of no request: handlers of notifications hear by it of the end. */
  #end: AbortController | undefined;

  constructor(
    readonly server: Server,
    transport: Transport,
  ) {
    super(transport, server.routes, server.options);
  }

  /** The handshake-era session, once a client has opened one. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** The open `subscriptions/listen` streams. */
  get listens(): Set<Listen> {
    return (this.#listens ??= new Set<Listen>());
  }

  get maxSubscriptions(): number {
    return this.options.limits?.subscriptions ?? 1_000;
  }

  /** Registers handlers for this connection only; they come before those of the server. */
  override handle(handlers: Handlers): void {
    const { routes } = this.server;
    if (this.routes === routes) this.routes = new Routes(routes.offers, routes);
    super.handle(handlers);
  }

  /**
   * Opens the session that `initialize` agreed on.
   * @throws ProtocolError -32600 when another `initialize` was faster, which middleware makes possible
   */
  begin(session: Session): void {
    if (this.#session) throw alreadyInitialized();
    this.#session = session;
    this.transport.setProtocolVersion?.(session.side.revision);
  }

  /** Serves a handshake-era client that opens no session: of it, nothing but the revision is known. */
  assume(side: Side): void {
    const { capabilities, options } = this.server;
    const session = new Session(side, {}, undefined, options.logLevel ?? "info", capabilities);
    session.initialized = true;
    this.#session = session;
  }

  /** Tells a client that the user is done with a URL that it was asked to open; one that opens none is told nothing. */
  completeElicitation(elicitationId: string): void {
    const session = this.#session;
    if (session && opensUrls(session)) this.tell(NOTIFICATIONS_ELICITATION_COMPLETE, { elicitationId });
  }

  /** Delivers a change to whoever wants to know it here. */
  deliver(change: Change): void {
    const session = this.#session;
    const method = changeMethod(change);
    const params = change.uri === undefined ? undefined : { uri: change.uri };
    if (session?.initialized && session.side.profile.subscriptions === "unsolicited") {
      const wanted =
        change.uri === undefined
          ? hasCapability(session.offered, `server.${change.kind}.listChanged`)
          : watches(session.subscriptions, change.uri);
      if (wanted) this.tell(method, params);
    }
    for (const listen of this.#listens ?? [])
      if (listen.wants(change)) this.tell(method, listen.tag(params), listen.id);
  }

  /**
   * Ends the connection gracefully: new requests are refused, subscriptions end with their result, and what runs may
   * finish.
   * @param graceMs milliseconds that running handlers get. Default 5,000
   */
  shutdown(graceMs = 5_000): Promise<void> {
    return (this.#draining ??= this.#drain(graceMs));
  }

  async #drain(graceMs: number): Promise<void> {
    const ended = [...(this.#listens ?? [])];
    this.#listens = undefined;
    for (const { end } of ended) end();
    if (this.inflight.size > 0)
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
        unref(setTimeout(resolve, timerMs(graceMs)));
      });
    // On a transport whose streams cannot be closed one by one, this is how a subscription's stream ends.
    if (!this.transport.exchange && this.isOpen)
      for (const { id } of ended) this.tell(NOTIFICATIONS_CANCELLED, { requestId: id });
    await this.close();
  }

  /** Questions wait as long as people need, unless the options say otherwise. */
  override request(method: string, params: object | undefined, options?: CallOptions): Promise<unknown> {
    if (method === PING) return super.request(method, params, options);
    const { askTimeoutMs = 600_000 } = this.server.options;
    const { timeoutMs = askTimeoutMs, maxTotalMs = 6 * askTimeoutMs } = options ?? {};
    return super.request(method, params, { ...options, timeoutMs, maxTotalMs });
  }

  override listen(): Subscription {
    throw new SdkError("NOT_IN_THIS_REVISION", "servers do not subscribe to anything");
  }

  protected override get profile(): Profile | undefined {
    return this.#session?.side.profile;
  }

  protected override admit(request: JSONRPCRequest, extra: MessageExtra | undefined): ClientFacts {
    if (this.#draining) throw new ProtocolError(ErrorCode.InternalError, "The server is shutting down");
    const { revisions } = this.server;
    const meta = request.params?._meta;
    return meta?.[META_PROTOCOL_VERSION] !== undefined && revisions.stateless.size > 0
      ? admitByMeta(revisions, meta, request, extra?.gate)
      : admitBySession(revisions, this.#session, request);
  }

  protected override blame({ params }: JSONRPCRequest, { side }: Caller): void {
    if (side.profile.opening === "stateless") checkMeta(side, params?._meta);
  }

  protected override call(
    request: JSONRPCRequest,
    caller: Caller,
    route: Route,
    extra: MessageExtra | undefined,
    batch: Batch | undefined,
  ): ServerContext {
    return new ServerContext(this, request, caller as ClientFacts, route, extra, batch);
  }

  protected override run(call: Call): unknown {
    const context = call as ServerContext;
    const { params, row } = context;
    const answers =
      row.alternatives && (params?.["requestState"] !== undefined || params?.["inputResponses"] !== undefined);
    return answers ? resume(context) : this.server.dispatch(context);
  }

  protected override finish(call: Call, result: object): object | Promise<object> {
    const context = call as ServerContext;
    if (!isInputRequired(result)) return this.server.complete(context, result);
    return context.session ? answerBySession(context, result) : sealRound(context, result);
  }

  protected override errorObject(error: unknown, call?: Call): JSONRPCErrorObject {
    const object = super.errorObject(error, call);
    if (!call) return object;
    const client = call.caller as ClientFacts;
    const { profile } = client.side;
    if (error instanceof ResourceNotFoundError || object.code === formerNotFoundCode) {
      const uri = call.params?.["uri"];
      const { data = uri === undefined ? undefined : { uri } } = object;
      return { code: profile.notFoundCode, message: object.message, data };
    }
    if (error instanceof UrlElicitationRequiredError && !opensUrls(client))
      return { code: ErrorCode.InternalError, message: error.message };
    if (!isReserved(object.code, profile)) return object;
    this.fault(
      new SdkError(
        "INVALID_CONFIGURATION",
        `${call.method}: the protocol does not define error ${object.code}`,
        object,
      ),
    );
    return { code: ErrorCode.InternalError, message: object.message };
  }

  protected override notified(notification: JSONRPCNotification): void {
    const { method, params } = notification;
    const side =
      this.server.revisions.stateless.get(params?._meta?.[META_PROTOCOL_VERSION] as string) ?? this.#session?.side;
    if (method === NOTIFICATIONS_INITIALIZED && this.#session) {
      this.#session.initialized = true;
      this.startKeepAlive();
    }
    const route = side && this.routes.notification(side, method);
    if (!route) return;
    const wrong = paramsError(route.row, method, params);
    if (wrong) return this.report(wrong);
    const context: NotificationContext = {
      connection: this,
      session: this.#session,
      signal: (this.#end ??= new AbortController()).signal,
      notify: (method: string, more?: object) => this.notify(method, more),
    };
    Promise.resolve()
      .then(() => route.handler((params ?? {}) as never, context as never))
      .catch((error: unknown) => this.fault(error));
  }

  /** Only handshake-era clients can be asked, and only what they declared. */
  protected override prepare(method: string, params: object | undefined, options: CallOptions): object | undefined {
    const { meta, checked } = options;
    const session = this.#session;
    if (!session)
      throw new SdkError("NOT_IN_THIS_REVISION", `${method} was not sent: clients of this revision take no requests`);
    const row = ownMember(session.side.receives.results, method);
    if (!row)
      throw new SdkError(
        "NOT_IN_THIS_REVISION",
        `${method} was not sent: revision ${session.side.revision} does not have it`,
      );
    if (method !== PING && !session.initialized)
      throw new SdkError("CANNOT_ASK", "the client may not be asked before it has said that it is initialized");
    const question = { method, params };
    const missing = checked ? undefined : lackedBy(session.side, session.capabilities, row, question);
    if (missing)
      throw new SdkError("CAPABILITY_NOT_SUPPORTED", `${method} was not sent: the peer did not declare ${missing}`);
    checkFinal(session.side, question);
    return meta && Object.keys(meta).length > 0 ? withMeta(params, meta) : params;
  }

  protected override withdraw(requestId: RequestId, _method: string, reason: string, relatedTo?: RequestId): void {
    this.tell(NOTIFICATIONS_CANCELLED, { requestId, reason }, relatedTo);
  }

  protected override idle(): void {
    this.#drained?.();
  }

  /** What runs may finish: its answers can still be sent. */
  protected override inputEnded(): void {
    this.pending.failAll(closedError(undefined));
    this.server.parking?.clear(this, undefined);
    this.shutdown().catch((error: unknown) => this.report(error));
  }

  protected override ended(error: Error | undefined): void {
    this.#listens = undefined;
    this.#drained?.();
    this.server.connections.delete(this);
    const { isBrief, exchange } = this.transport;
    // The end of a single exchange says nothing of the client; what is parked waits for another one.
    if (isBrief || exchange) return;
    this.#end?.abort(closedError(error));
    this.server.parking?.clear(this, error);
  }
}

/** What says in older revisions that there is no such resource. */
const formerNotFoundCode = -32002;

/** Whether a code is of the range that a revision keeps for itself, if its own are from there, and none of these. */
function isReserved(code: number, { missingCapabilityCode, unsupportedVersionCode }: Profile): boolean {
  const within = (one: number): boolean => one <= -32020 && one >= -32099;
  if (!within(code) || !within(missingCapabilityCode)) return false;
  return ![missingCapabilityCode, unsupportedVersionCode, ErrorCode.HeaderMismatch].includes(code);
}
