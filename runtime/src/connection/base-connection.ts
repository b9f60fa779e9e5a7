import type { Connection, Profile, RequestId, RequestOptions, Subscription } from "@mcpwright/protocol/contract";
import { NOTIFICATIONS_CANCELLED, NOTIFICATIONS_PROGRESS } from "@mcpwright/protocol/names";
import { RequestIdMap } from "../collections/request-id-map.js";
import { Batch, batchProblem } from "../jsonrpc/batch.js";
import { createMessage, withMeta } from "../jsonrpc/create-message.js";
import { connectionClosedError, invalidRequest, unsentError } from "../jsonrpc/error-conversion.js";
import { ErrorCode, ProtocolError, RemoteError, SdkError } from "../jsonrpc/errors.js";
import { envelopeProblem, isObject, isRequestId } from "../jsonrpc/guards.js";
import type {
  JSONRPCErrorObject,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  Params,
} from "../jsonrpc/message-types.js";
import { requestIds } from "../jsonrpc/request-ids.js";
import { replaceUnserializable } from "../jsonrpc/serialize.js";
import { deadlineTimer } from "../timing/deadline-timer.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import { markHandled } from "../timing/mark-handled.js";
import type { MessageExtra } from "../transport/message-extra.js";
import type { Transport } from "../transport/transport.js";
import type { CallOptions } from "./call-options.js";
import type { ConnectionOptions } from "./connection-options.js";
import { invalidParamsError, type MethodHandlers, type DispatchEntry, type DispatchTable } from "./dispatch-table.js";
import { startKeepAlive, type KeepAliveTimer } from "./keep-alive.js";
import { PendingRequests, type ResponseWaiter } from "./pending-requests.js";
import { RequestContext, type RequestSender, type HandlerOutcome } from "./request-context.js";
import { assertNotification, isMistake } from "./sent-notification.js";
import { TransportConnection } from "./transport-connection.js";

/**
 * Base of client and server connections, which add the behaviour of role and revision: correlates requests with responses
 * in both directions, with cancellation, timeouts, progress, batches and errors.
 */
export abstract class BaseConnection extends TransportConnection implements Connection {
  /** @internal */
  readonly inflight = new RequestIdMap<RequestContext>();
  #pending: PendingRequests | undefined;
  #keepAlive: KeepAliveTimer | undefined;

  constructor(
    transport: Transport,
    protected dispatchTable: DispatchTable,
    options: ConnectionOptions,
  ) {
    super(transport, options);
  }

  /** The peer in the negotiated revision; undefined before negotiation, and when each request names its own revision. */
  protected abstract readonly peer: RequestSender | undefined;
  protected get profile(): Profile | undefined {
    return this.peer?.side.profile;
  }

  /** Returns undefined for a request that gets no response. @throws ProtocolError the error response to a rejected request */
  protected abstract identifySender(
    request: JSONRPCRequest,
    extra: MessageExtra | undefined,
  ): RequestSender | undefined;
  /** @throws ProtocolError a more specific error about invalid params, if their metadata is invalid */
  protected explainInvalidParams(_request: JSONRPCRequest, _caller: RequestSender): void {
    // By default, metadata is not checked.
  }

  /** @throws ProtocolError when the sender may not send the request @internal */
  createContext(
    request: JSONRPCRequest,
    caller: RequestSender,
    route: DispatchEntry,
    extra: MessageExtra | undefined,
    batch: Batch | undefined,
  ): RequestContext {
    return new RequestContext(this, request, caller, route, extra, batch);
  }

  protected abstract runHandler(call: RequestContext): unknown;
  /** Converts the result of a handler to the peer's revision; returns a promise when that is asynchronous. */
  protected finishResult(_call: RequestContext, result: object): object | Promise<object> {
    return result;
  }

  protected abstract handleNotification(notification: JSONRPCNotification, extra: MessageExtra | undefined): void;
  /** Completes the params of a request. Throws when the request must not be sent. */
  protected abstract prepareParams(
    method: string,
    params: object | undefined,
    options: CallOptions,
  ): object | undefined;
  /** Notifies the peer that a request is cancelled. */
  protected abstract sendCancellation(
    id: RequestId,
    method: string,
    reason: string,
    relatedTo: RequestId | undefined,
  ): void;
  protected onIdle(): void {
    // Called when no request is being handled any more.
  }

  protected abstract onEnd(error: Error | undefined): void;
  abstract listen(method: string, params: object | undefined, options?: RequestOptions): Subscription;

  handle(handlers: MethodHandlers): void {
    this.dispatchTable.add(handlers);
  }

  /** Created on first use: most connections that serve one HTTP request send no requests. */
  protected get pending(): PendingRequests {
    return (this.#pending ??= new PendingRequests(
      (id, method, reason, relatedTo) => {
        if (this.isOpen) this.sendCancellation(id, method, reason, relatedTo);
      },
      (hook) => this.callHook(hook),
      this.telemetry,
    ));
  }

  request(method: string, params: object | undefined, options: CallOptions = {}): Promise<unknown> {
    return markHandled(
      new Promise((resolve, reject) => this.startRequest(method, params, options, { resolve, reject })),
    );
  }

  /** Like `request`, without a promise. */
  protected startRequest(
    method: string,
    params: object | undefined,
    options: CallOptions,
    settlement: ResponseWaiter,
  ): void {
    this.assertOpen(method);
    options.signal?.throwIfAborted();
    let body = this.prepareParams(method, params, options);
    const id = this.pending.newId(this.transport.requestIdPrefix);
    if (options.onProgress) body = withMeta(body, { progressToken: id });
    const token = (body as Params | undefined)?._meta?.["progressToken"];
    if (token !== id) this.pending.assertToken(method, token);
    const { timeoutMs = this.options.timeoutMs ?? 60_000 } = options;
    const { maxTotalMs = Math.max(timeoutMs, this.options.maxTotalMs ?? 600_000) } = options;
    this.pending.add(id, method, token, options, timeoutMs, maxTotalMs, settlement);
    this.send(createMessage(method, body, id), options.relatedRequestId, (error) =>
      this.pending.fail(id, unsentError(method, error)),
    );
  }

  notify(method: string, params?: object, relatedTo?: RequestId, receiver?: RequestSender): Promise<void> {
    const sent = new Promise<void>((resolve, reject) => {
      this.assertOpen(method);
      // A request may have another revision than the session on the same connection.
      assertNotification(receiver ?? (relatedTo === undefined ? this.peer : undefined), method, params);
      this.send(createMessage(method, params), relatedTo, reject, resolve);
    });
    return markHandled(sent, (error) => {
      // Few callers await a notification.
      if (isMistake(error)) this.reportUserError(error);
    });
  }

  /** Sends a notification; a failure is reported to `onerror`. */
  notifyInBackground(method: string, params: object | undefined, relatedTo?: RequestId): void {
    this.notify(method, params, relatedTo).catch((error: unknown) => {
      if (!isMistake(error)) this.report(error);
    });
  }

  /** Starts the keep-alive pings; called when a revision has been negotiated. */
  protected startKeepAlive(): void {
    if (!this.options.keepAlive || !this.profile?.ping || this.#keepAlive) return;
    this.#keepAlive = startKeepAlive(this, this.options.keepAlive);
  }

  protected override trace(direction: "in" | "out", message: unknown): void {
    if (this.options.trace) this.callHook(() => this.options.trace?.(direction, message, this));
  }

  protected override receive(message: unknown, extra: MessageExtra | undefined): void {
    this.trace("in", message);
    this.#keepAlive?.onMessage();
    if (Array.isArray(message)) this.#receiveBatch(message, extra);
    else this.#receiveOne(message, extra, undefined);
  }

  #receiveBatch(messages: readonly unknown[], extra: MessageExtra | undefined): void {
    const problem = batchProblem(messages, this.profile, this.options.limits?.batchLength);
    const batch = new Batch((responses) =>
      // A response that cannot be serialized must not prevent the others.
      this.send(responses, undefined, () =>
        this.send(replaceUnserializable(responses, (error) => this.errorObject(error))),
      ),
    );
    if (problem !== undefined)
      this.#rejectAll(messages, invalidRequest(problem), this.profile?.batch ? batch : undefined);
    else for (const message of messages) this.#receiveOne(message, extra, batch);
    batch.endRequest();
  }

  /** Responds with an error to each request among the messages. */
  #rejectAll(messages: readonly unknown[], error: ProtocolError, batch?: Batch): void {
    const ids = requestIds(messages);
    if (ids.length === 0) return this.sendError(undefined, error);
    this.report(error);
    for (const id of ids) this.sendError(id, error, batch);
  }

  /** Handles a message. A hook that throws affects neither the connection nor the rest of a batch. */
  #receiveOne(message: unknown, extra: MessageExtra | undefined, batch: Batch | undefined): void {
    try {
      if (this.telemetry) this.telemetry.receive(message, extra, () => this.#dispatch(message, extra, batch));
      else this.#dispatch(message, extra, batch);
    } catch (error) {
      this.reportUserError(error);
    }
  }

  #dispatch(message: unknown, extra: MessageExtra | undefined, batch: Batch | undefined): void {
    const problem = envelopeProblem(message);
    const { id, method, jsonrpc } = isObject(message) ? message : {};
    if (problem) {
      if (jsonrpc === "2.0" && method !== undefined && id === undefined)
        return this.report(new SdkError("INVALID_MESSAGE", `received a malformed notification: ${problem}`, message));
      return this.sendError(method !== undefined && isRequestId(id) ? id : undefined, invalidRequest(problem), batch);
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
    let call: RequestContext | undefined;
    try {
      call = this.#acceptRequest(request, extra, batch);
    } catch (error) {
      return this.sendError(request.id, error, batch);
    }
    if (!call) return;
    batch?.addRequest();
    try {
      const outcome = this.runHandler(call);
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

  #acceptRequest(
    request: JSONRPCRequest,
    extra: MessageExtra | undefined,
    batch: Batch | undefined,
  ): RequestContext | undefined {
    const { id, method } = request;
    const caller = this.identifySender(request, extra);
    if (!caller) return undefined;
    const route = this.dispatchTable.findRequest(caller.side, method);
    if (!route) throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${method.slice(0, 100)}`);
    const call = this.createContext(request, caller, route, extra, batch);
    if (this.inflight.has(id)) throw new ProtocolError(ErrorCode.InvalidRequest, "Invalid Request: id is in use");
    if (this.inflight.size >= (this.options.limits?.requestsInFlight ?? 1_000))
      throw new ProtocolError(ErrorCode.InternalError, "Too many requests in flight; try again later");
    const invalid = invalidParamsError(route.row, method, request.params, caller, this);
    if (invalid) this.explainInvalidParams(request, caller);
    extra?.requestChecks?.checkRequest(request, route.row);
    if (invalid) throw invalid;
    return call;
  }

  #succeed(call: RequestContext, result: unknown): void {
    if (call.done) return call.onLateOutcome({ result });
    if (!isObject(result))
      return this.#fail(
        call,
        new TypeError(`the handler of ${call.method} must return an object, not ${typeof result}`),
      );
    try {
      const finished = this.finishResult(call, result);
      if (!isPromiseLike(finished)) return this.sendResult(call, finished);
      this.inflight.set(call.requestId, call);
      finished.then(
        (ready: object) => this.sendResult(call, ready),
        (error: unknown) => this.#fail(call, error),
      );
    } catch (error) {
      this.#fail(call, error);
    }
  }

  /** Sends a result unchanged. @internal */
  sendResult(call: RequestContext, result: object): void {
    if (call.done) return;
    call.markAnswered();
    this.#respond(call, { jsonrpc: "2.0", id: call.requestId, result });
  }

  /** Responds to a request with the outcome of its handler. @internal */
  settleRequest(call: RequestContext, outcome: HandlerOutcome): void {
    if ("error" in outcome) this.#fail(call, outcome.error);
    else this.#succeed(call, outcome.result);
  }

  #fail(call: RequestContext, error: unknown): void {
    if (call.done) return call.onLateOutcome({ error });
    call.markAnswered();
    this.#respond(call, { jsonrpc: "2.0", id: call.requestId, error: this.errorObject(error, call) });
  }

  #respond(call: RequestContext, response: JSONRPCResponse): void {
    const { requestId, batch } = call;
    if (this.inflight.get(requestId) === call) this.inflight.delete(requestId);
    if (this.inflight.size === 0) this.onIdle();
    if (batch) batch.endRequest(response);
    else this.#deliver(response);
  }

  #deliver(response: JSONRPCResponse): void {
    // A request whose result cannot be serialized still gets a response.
    const failed = (error: unknown): void => (this.isOpen ? this.sendError(response.id, error) : this.report(error));
    this.send(response, response.id, failed);
  }

  /** The error object to send. Only a `ProtocolError` is sent as it is; other errors are reported on this side only. @internal */
  errorObject(error: unknown, _call?: RequestContext): JSONRPCErrorObject {
    // An error response that the peer sent to us is not our response to another request.
    if (error instanceof ProtocolError && !(error instanceof RemoteError) && Number.isInteger(error.code)) {
      const { code, message, data } = error;
      return { code, message, data };
    }
    this.reportUserError(error);
    return { code: ErrorCode.InternalError, message: "Internal error" };
  }

  /** Sends an error response; without an id only where the revision allows that. */
  protected sendError(id: RequestId | undefined, error: unknown, batch?: Batch): void {
    const object = this.errorObject(error);
    if (id === undefined) {
      this.report(error);
      if (this.profile && !this.profile.errorIdOptional) return;
    }
    const response: JSONRPCResponse = { jsonrpc: "2.0", ...(id !== undefined && { id }), error: object };
    if (batch) {
      batch.addRequest();
      batch.endRequest(response);
    } else this.send(response, id);
  }

  protected override onTransportError(error: Error, received: unknown): void {
    const messages = [received].flat();
    const awaited = messages.filter(
      (one) => isObject(one) && one["method"] === undefined && this.#pending?.rejectUnreadable(one["id"], error),
    );
    if (awaited.length > 0) return;
    if (error instanceof ProtocolError && this.isOpen) this.#rejectAll(messages, error);
    else this.report(error);
  }

  #receiveNotification(notification: JSONRPCNotification, extra: MessageExtra | undefined): void {
    const { method, params } = notification;
    if (method === NOTIFICATIONS_CANCELLED && this.#cancelReceived(params)) return;
    if (method === NOTIFICATIONS_PROGRESS && params && this.pending.deliverProgress(params)) return;
    this.handleNotification(notification, extra);
    if (extra?.relatedRequestId !== undefined) this.pending.deliverNotification(extra.relatedRequestId, notification);
  }

  /** Stops the handling of a request, if there is one; sends no response. */
  #cancelReceived(params: Params | undefined): boolean {
    const call = this.inflight.get(params?.["requestId"] as RequestId);
    if (!call) return false;
    this.inflight.delete(call.requestId);
    if (!call.done) {
      const reason = params?.["reason"];
      const why = typeof reason === "string" ? reason : "the peer cancelled the request";
      call.abort(new SdkError("REQUEST_CANCELLED", why));
      this.transport.requestDropped?.(call.requestId);
      call.batch?.endRequest();
    }
    if (this.inflight.size === 0) this.onIdle();
    return true;
  }

  protected override onClose(error: Error | undefined): void {
    this.#keepAlive?.stop();
    // Most HTTP exchanges have nothing to abort, and creating an error is expensive.
    if (this.#pending?.size || this.inflight.size > 0) {
      const reason = connectionClosedError(error);
      this.#pending?.failAll(reason);
      for (const call of this.inflight.values()) call.abort(reason);
      this.inflight.clear();
    }
    if (this.#pending) deadlineTimer.cancel(this.#pending);
    this.onEnd(error);
  }
}
