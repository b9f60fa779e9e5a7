import type { Connection, Profile, RequestId, RequestOptions, Subscription } from "@mcpwright/protocol/contract";
import { NOTIFICATIONS_CANCELLED, NOTIFICATIONS_PROGRESS } from "@mcpwright/protocol/names";
import { Batch, claims } from "./batch.js";
import { ById } from "./by-id.js";
import { Call, type Caller, type Outcome } from "./call.js";
import { Channel } from "./channel.js";
import { ErrorCode, ProtocolError, RemoteError, SdkError } from "./errors.js";
import {
  envelopeProblem,
  isObject,
  isRequestId,
  type JSONRPCErrorObject,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type Params,
} from "./json-rpc.js";
import { keepAlive, type KeptAlive } from "./keep-alive.js";
import { closedError, isPromiseLike, message, withMeta } from "./messages.js";
import type { PeerOptions } from "./peer-options.js";
import { type CallOptions, PendingRequests, type Settlement } from "./pending.js";
import { paramsError, type Handlers, type Route, type Routes } from "./routes.js";
import { sweeper } from "./sweeper.js";
import type { MessageExtra, Transport } from "./transport.js";

/**
 * The engine of a connection: correlates requests with responses in both directions, with cancellation, timeouts,
 * progress, batches and errors. What depends on the role and on the revision is left to `ServerConnection` and
 * `ClientConnection`.
 */
export abstract class Peer extends Channel implements Connection {
  protected readonly inflight = new ById<Call>();
  #pending: PendingRequests | undefined;
  #pinging: KeptAlive | undefined;

  constructor(
    transport: Transport,
    protected routes: Routes,
    options: PeerOptions,
  ) {
    super(transport, options);
  }

  /** How the peers of this connection behave; undefined while they have not agreed, or when each request says it. */
  protected abstract readonly profile: Profile | undefined;
  /** @throws ProtocolError what a request is answered with that is not to be served; undefined: not at all */
  protected abstract admit(request: JSONRPCRequest, extra: MessageExtra | undefined): Caller | undefined;
  /** @throws ProtocolError a better one about params that are wrong, if the metadata is to blame */
  protected blame(_request: JSONRPCRequest, _caller: Caller): void {
    // Most metadata may be anything.
  }

  protected call(
    request: JSONRPCRequest,
    caller: Caller,
    route: Route,
    extra: MessageExtra | undefined,
    batch: Batch | undefined,
  ): Call {
    return new Call(this, request, caller, route, extra, batch);
  }

  protected abstract run(call: Call): unknown;
  /** Makes of what a handler returned what the revision wants to see; a promise when that needs more than a moment. */
  protected finish(_call: Call, result: object): object | Promise<object> {
    return result;
  }

  protected abstract notified(notification: JSONRPCNotification, extra: MessageExtra | undefined): void;
  /** Completes the params of a request, or throws because it may not be sent. */
  protected abstract prepare(method: string, params: object | undefined, options: CallOptions): object | undefined;
  /** Tells the peer that the answer to a request is not wanted any more. */
  protected abstract withdraw(id: RequestId, method: string, reason: string, relatedTo: RequestId | undefined): void;
  /** Nothing is being handled any more. */
  protected idle(): void {
    // Most have nothing to wait for.
  }

  protected abstract ended(error: Error | undefined): void;
  abstract listen(method: string, params: object | undefined, options?: RequestOptions): Subscription;

  handle(handlers: Handlers): void {
    this.routes.add(handlers);
  }

  /** Made when it is needed: most connections that serve one request over HTTP ask nothing. */
  protected get pending(): PendingRequests {
    return (this.#pending ??= new PendingRequests(
      (id, method, reason, relatedTo) => {
        if (this.isOpen) this.withdraw(id, method, reason, relatedTo);
      },
      (hook) => this.callHook(hook),
    ));
  }

  request(method: string, params: object | undefined, options: CallOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => this.start(method, params, options, { resolve, reject }));
  }

  /** Like `request`, for whoever needs no promise. */
  protected start(method: string, params: object | undefined, options: CallOptions, settlement: Settlement): void {
    this.mustBeOpen(method);
    options.signal?.throwIfAborted();
    let body = this.prepare(method, params, options);
    const id = this.pending.newId();
    if (options.onProgress) body = withMeta(body, { progressToken: id });
    const token = (body as Params | undefined)?._meta?.["progressToken"];
    if (token !== undefined && token !== id) {
      const why =
        typeof token === "number"
          ? "must be a text: the connection gives numbers"
          : this.pending.hasToken(token) && "is that of another request";
      if (why) throw new SdkError("INVALID_CONFIGURATION", `${method} was not sent: its progressToken ${why}`);
    }
    const { timeoutMs = this.options.timeoutMs ?? 60_000 } = options;
    const { maxTotalMs = Math.max(timeoutMs, this.options.maxTotalMs ?? 600_000) } = options;
    this.pending.add(id, method, token, options, timeoutMs, maxTotalMs, settlement);
    this.send(message(method, body, id), options.relatedRequestId, (error) => {
      const known = error instanceof SdkError && error.code !== "NOT_CONNECTED";
      const unsent = new SdkError("SEND_FAILED", `${method} could not be sent`, undefined, { cause: error });
      this.pending.fail(id, known ? error : unsent);
    });
  }

  notify(method: string, params?: object, relatedTo?: RequestId): Promise<void> {
    return new Promise((resolve, reject) => {
      this.mustBeOpen(method);
      this.send(message(method, params), relatedTo, reject, resolve);
    });
  }

  /** Sends a notification that nobody waits for. */
  tell(method: string, params: object | undefined, relatedTo?: RequestId): void {
    this.notify(method, params, relatedTo).catch((error: unknown) => this.report(error));
  }

  /** Begins to ping; called once the peers have agreed on a revision. */
  protected startKeepAlive(): void {
    if (!this.options.keepAlive || !this.profile?.ping || this.#pinging) return;
    this.#pinging = keepAlive(this, this.options.keepAlive);
  }

  protected override trace(direction: "in" | "out", message: unknown): void {
    if (this.options.trace) this.callHook(() => this.options.trace?.(direction, message, this));
  }

  protected override receive(message: unknown, extra: MessageExtra | undefined): void {
    this.trace("in", message);
    this.#pinging?.heard();
    if (Array.isArray(message)) this.#receiveBatch(message, extra);
    else this.#receiveOne(message, extra, undefined);
  }

  #receiveBatch(messages: readonly unknown[], extra: MessageExtra | undefined): void {
    const { batchLength = 1_000 } = this.options.limits ?? {};
    const problem = !this.profile
      ? "a batch is legal only in a session of a revision that has batches"
      : !this.profile.batch || messages.some(claims)
        ? "batches are not part of this revision"
        : messages.length === 0
          ? "the batch is empty"
          : messages.length > batchLength
            ? `the batch has more than ${batchLength} messages`
            : undefined;
    const batch = new Batch((responses) =>
      // One that cannot be printed must not take the others with it.
      this.send(responses, undefined, () => responses.forEach((response) => this.#deliver(response))),
    );
    if (problem !== undefined) this.#refuseAll(messages, invalid(problem), this.profile?.batch ? batch : undefined);
    else for (const message of messages) this.#receiveOne(message, extra, batch);
    batch.settle();
  }

  /** Whoever sent a request waits for its answer, though it is not served. */
  #refuseAll(messages: readonly unknown[], error: ProtocolError, batch?: Batch): void {
    const ids = messages
      .filter(isObject)
      .flatMap(({ method, id }) => (method !== undefined && isRequestId(id) ? [id] : []));
    if (ids.length === 0) return this.refuse(undefined, error);
    this.report(error);
    for (const id of ids) this.refuse(id, error, batch);
  }

  /** A hook that throws ends neither the connection nor the rest of a batch. */
  #receiveOne(message: unknown, extra: MessageExtra | undefined, batch: Batch | undefined): void {
    try {
      this.#sort(message, extra, batch);
    } catch (error) {
      this.fault(error);
    }
  }

  #sort(message: unknown, extra: MessageExtra | undefined, batch: Batch | undefined): void {
    const problem = envelopeProblem(message);
    const { id, method, jsonrpc } = isObject(message) ? message : {};
    if (problem) {
      if (jsonrpc === "2.0" && method !== undefined && id === undefined)
        return this.report(new SdkError("INVALID_MESSAGE", `received a malformed notification: ${problem}`, message));
      return this.refuse(method !== undefined && isRequestId(id) ? id : undefined, invalid(problem), batch);
    }
    if (method === undefined) {
      const stray = this.pending.settle(message as Readonly<Record<string, unknown>>);
      if (stray) this.report(stray);
      return;
    }
    if (id === undefined) return this.#receiveNotification(message as JSONRPCNotification, extra);
    this.#receiveRequest(message as JSONRPCRequest, extra, batch);
  }

  #receiveRequest(request: JSONRPCRequest, extra: MessageExtra | undefined, batch: Batch | undefined): void {
    let call: Call | undefined;
    try {
      call = this.#admit(request, extra, batch);
    } catch (error) {
      return this.refuse(request.id, error, batch);
    }
    if (!call) return;
    batch?.expect();
    try {
      const outcome = this.run(call);
      if (!isPromiseLike(outcome)) return this.#succeed(call, outcome);
      this.inflight.set(request.id, call);
      outcome.then(
        (result) => this.#succeed(call, result),
        (error: unknown) => this.#fail(call, error),
      );
    } catch (error) {
      this.#fail(call, error);
    }
  }

  #admit(request: JSONRPCRequest, extra: MessageExtra | undefined, batch: Batch | undefined): Call | undefined {
    const { id, method } = request;
    const caller = this.admit(request, extra);
    if (!caller) return undefined;
    const route = this.routes.request(caller.side, method);
    if (!route) throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${method.slice(0, 100)}`);
    if (this.inflight.has(id)) throw new ProtocolError(ErrorCode.InvalidRequest, "Invalid Request: id is in use");
    if (this.inflight.size >= (this.options.limits?.requestsInFlight ?? 1_000))
      throw new ProtocolError(ErrorCode.InternalError, "Too many requests in flight; try again later");
    const wrong = paramsError(route.row, method, request.params);
    if (wrong) this.blame(request, caller);
    extra?.gate?.routed(request, route.row);
    if (wrong) throw wrong;
    return this.call(request, caller, route, extra, batch);
  }

  #succeed(call: Call, result: unknown): void {
    if (call.done) return call.late({ result });
    if (!isObject(result))
      return this.#fail(call, new TypeError(`the handler of ${call.method} returned no object but ${typeof result}`));
    try {
      const finished = this.finish(call, result);
      if (!isPromiseLike(finished)) return this.answer(call, finished);
      this.inflight.set(call.requestId, call);
      finished.then(
        (ready: object) => this.answer(call, ready),
        (error: unknown) => this.#fail(call, error),
      );
    } catch (error) {
      this.#fail(call, error);
    }
  }

  /** Sends the result of a call as it is. */
  answer(call: Call, result: object): void {
    if (call.done) return;
    call.end();
    this.#respond(call, { jsonrpc: "2.0", id: call.requestId, result });
  }

  /** Ends a call with what its handler came to. */
  settle(call: Call, outcome: Outcome): void {
    if ("error" in outcome) this.#fail(call, outcome.error);
    else this.#succeed(call, outcome.result);
  }

  #fail(call: Call, error: unknown): void {
    if (call.done) return call.late({ error });
    call.end();
    this.#respond(call, { jsonrpc: "2.0", id: call.requestId, error: this.errorObject(error, call) });
  }

  #respond(call: Call, response: JSONRPCResponse): void {
    const { requestId, batch } = call;
    if (this.inflight.get(requestId) === call) this.inflight.delete(requestId);
    if (this.inflight.size === 0) this.idle();
    if (batch) batch.settle(response);
    else this.#deliver(response);
  }

  #deliver(response: JSONRPCResponse): void {
    this.send(response, response.id, (error) => {
      // What cannot be printed as JSON is the handler's fault; the peer still gets an answer.
      if (this.isOpen) this.refuse(response.id, error);
      else this.report(error);
    });
  }

  /** What goes over the wire for an error; anything but a `ProtocolError` is reported here and stays here. */
  protected errorObject(error: unknown, _call?: Call): JSONRPCErrorObject {
    // What a peer answered to us is not our answer to another request.
    if (error instanceof ProtocolError && !(error instanceof RemoteError) && Number.isInteger(error.code)) {
      const { code, message, data } = error;
      return { code, message, data };
    }
    this.fault(error);
    return { code: ErrorCode.InternalError, message: "Internal error" };
  }

  /** Answers with an error; without an id only where the revision has that. */
  protected refuse(id: RequestId | undefined, error: unknown, batch?: Batch): void {
    const object = this.errorObject(error);
    if (id === undefined) {
      this.report(error);
      if (this.profile && !this.profile.errorIdOptional) return;
    }
    const response: JSONRPCResponse = { jsonrpc: "2.0", ...(id !== undefined && { id }), error: object };
    if (batch) {
      batch.expect();
      batch.settle(response);
    } else this.send(response, id);
  }

  protected override failed(error: Error, received: unknown): void {
    const messages = [received].flat();
    const answers = messages.filter(isObject).filter(({ method }) => method === undefined);
    const awaited = answers.filter(({ id }) => this.#pending?.unread(id, error));
    if (awaited.length > 0) return;
    if (error instanceof ProtocolError && this.isOpen) this.#refuseAll(messages, error);
    else this.report(error);
  }

  #receiveNotification(notification: JSONRPCNotification, extra: MessageExtra | undefined): void {
    const { method, params } = notification;
    if (method === NOTIFICATIONS_CANCELLED && this.#cancelled(params)) return;
    if (method === NOTIFICATIONS_PROGRESS && params && this.pending.progressed(params)) return;
    this.notified(notification, extra);
    if (extra?.relatedRequestId !== undefined) this.pending.notified(extra.relatedRequestId, notification);
  }

  /** Stops the handling of a request, if there is one; nothing is answered. */
  #cancelled(params: Params | undefined): boolean {
    const call = this.inflight.get(params?.["requestId"] as RequestId);
    if (!call) return false;
    this.inflight.delete(call.requestId);
    if (!call.done) {
      const { reason } = params ?? {};
      const why = typeof reason === "string" ? reason : "the peer cancelled the request";
      call.abort(new SdkError("REQUEST_CANCELLED", why));
      this.transport.unanswered?.(call.requestId);
      call.batch?.settle();
    }
    if (this.inflight.size === 0) this.idle();
    return true;
  }

  protected override closed(error: Error | undefined): void {
    this.#pinging?.stop();
    // An error costs more than all else that an exchange over HTTP needs of a connection.
    if (this.#pending?.size || this.inflight.size > 0) {
      const reason = closedError(error);
      this.#pending?.failAll(reason);
      for (const call of this.inflight.values()) call.abort(reason);
      this.inflight.clear();
    }
    if (this.#pending) sweeper.unwatch(this.#pending);
    this.ended(error);
  }
}

function invalid(problem: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidRequest, `Invalid Request: ${problem}`);
}
