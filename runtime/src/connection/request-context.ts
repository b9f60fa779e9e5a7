import type { HandlerContext, Progress, RequestId, RequestDescriptor, Side } from "@mcpwright/protocol/contract";
import { NOTIFICATIONS_PROGRESS } from "@mcpwright/protocol/names";
import type { Batch } from "../jsonrpc/batch.js";
import type { JSONRPCRequest, Meta, Params } from "../jsonrpc/message-types.js";
import type { HttpRequestInfo, MessageExtra } from "../transport/message-extra.js";
import type { Principal } from "../transport/principal.js";
import type { MethodHandler, DispatchEntry } from "./dispatch-table.js";
import { ProgressThrottle } from "./progress-throttle.js";

/** The members of a connection that the context of a request uses. */
export interface ContextConnection {
  notify(method: string, params?: object, relatedTo?: RequestId, receiver?: RequestSender): Promise<void>;
  /** @internal */
  notifyInBackground(method: string, params: object | undefined, relatedTo?: RequestId): void;
  /** @internal */
  report(error: unknown): void;
}

/** The sender of a message; `side` is that of the revision by which the message is handled. */
export interface RequestSender {
  readonly side: Side;
  /** The capabilities that it has declared; undefined before it has. */
  readonly capabilities?: object | undefined;
}

/** The outcome of a handler: what it returned or threw. */
export type HandlerOutcome = { readonly result: unknown } | { readonly error: unknown };

/** A request being handled, and the context that its handler receives. Members are created on first use. */
export class RequestContext<Sender extends RequestSender = RequestSender> implements HandlerContext {
  readonly requestId: RequestId;
  readonly method: string;
  readonly params: Params | undefined;
  /** Whether the response has been sent, or the request cancelled. @internal */
  done = false;
  /** Whether `principal` was read, so that the result may depend on it. @internal */
  isPersonal = false;
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;
  #abortListeners: ((reason: unknown) => void)[] | undefined;
  #progress: ProgressThrottle | undefined;

  constructor(
    readonly connection: ContextConnection,
    request: JSONRPCRequest,
    /** @internal */
    readonly sender: Sender,
    /** @internal */
    readonly entry: DispatchEntry,
    /** @internal */
    readonly extra: MessageExtra | undefined,
    /** @internal */
    readonly batch: Batch | undefined,
  ) {
    this.requestId = request.id;
    this.method = request.method;
    this.params = request.params;
  }

  /** @internal */
  get row(): RequestDescriptor {
    return this.entry.row;
  }

  /** @internal */
  get handler(): MethodHandler {
    return this.entry.handler;
  }

  /** The metadata of the request. */
  get _meta(): Meta {
    return this.params?._meta ?? {};
  }

  /** Aborted when the peer cancels the request or the connection ends; `reason` is an `SdkError` with the cause. */
  get signal(): AbortSignal {
    // Creating a signal costs more than a whole call, so it is created on first use.
    if (!this.#controller) {
      this.#controller = new AbortController();
      this.extra?.watchDisconnect?.();
      if (this.#aborted) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  /** Adds a function that is called where `signal` would be aborted: it costs less than a signal. @internal */
  onAbort(listener: (reason: unknown) => void): void {
    this.extra?.watchDisconnect?.();
    (this.#abortListeners ??= []).push(listener);
    if (this.#aborted) listener(this.#aborted.reason);
  }

  /** The principal that the transport has authenticated. */
  get principal(): Principal | undefined {
    this.isPersonal = true;
    return this.extra?.principal;
  }

  /** The HTTP request that is being served; undefined for other transports. */
  get http(): HttpRequestInfo | undefined {
    return this.extra?.http;
  }

  // Getters, so that handlers can take these functions from the context: `({ id }, { progress }) => …`.
  /**
   * Sends a notification that belongs to this request. Does nothing after the response.
   * @throws SdkError `NOT_IN_THIS_REVISION` (a rejection) when the peer's revision has no such notification from this side
   * @throws TypeError (a rejection) when the params do not match the schema
   */
  get notify(): HandlerContext["notify"] {
    return (method, params) => this.sendNotification(method, params);
  }

  /**
   * Reports progress to the peer. Does nothing unless the peer asked for progress and the number increases. Numbers that
   * are not finite are reported to `onerror` and not sent.
   */
  get progress(): (progress: Progress) => void {
    return (progress) => this.sendProgress(progress);
  }

  /** @internal */
  sendNotification(method: string, params?: object): Promise<void> {
    return this.done ? Promise.resolve() : this.connection.notify(method, params, this.requestId, this.sender);
  }

  /** Sends a notification that belongs to this request; a failure is reported to `onerror`. @internal */
  notifyInBackground(method: string, params: object): void {
    this.connection.notifyInBackground(method, params, this.requestId);
  }

  protected sendProgress(progress: Progress): void {
    const token = this.params?._meta?.["progressToken"];
    if (this.done || token === undefined) return;
    // JSON would contain null for other numbers.
    if (!Number.isFinite(progress.progress) || !Number.isFinite(progress.total ?? 0))
      return this.connection.report(new TypeError(`${this.method}: progress and total must be finite numbers`));
    this.#progress ??= new ProgressThrottle((latest) =>
      this.notifyInBackground(NOTIFICATIONS_PROGRESS, { progressToken: token, ...latest }),
    );
    this.#progress.report(progress);
  }

  /** Called when the handler ends after its request was answered or cancelled. @internal */
  onLateOutcome(_outcome: HandlerOutcome): void {
    // The outcome is discarded by default.
  }

  /** Called before the response is sent: sends the last progress, and marks the request as done. @internal */
  markAnswered(): void {
    this.#progress?.flush();
    this.done = true;
  }

  /** @internal */
  abort(reason: unknown): void {
    this.done = true;
    this.#aborted = { reason };
    this.#controller?.abort(reason);
    for (const listener of this.#abortListeners ?? []) listener(reason);
  }
}
