import type { HandlerContext, Progress, RequestId, RequestDescriptor, Side } from "@mcpwright/protocol/contract";
import { NOTIFICATIONS_PROGRESS } from "@mcpwright/protocol/names";
import type { Batch } from "../jsonrpc/batch.js";
import type { JSONRPCRequest, Meta, Params } from "../jsonrpc/message-types.js";
import type { HttpRequestInfo, MessageExtra } from "../transport/message-extra.js";
import type { Principal } from "../transport/principal.js";
import type { MethodHandler, DispatchEntry } from "./dispatch-table.js";
import { ProgressThrottle } from "./progress-throttle.js";

/** What a request's context needs of the connection that received it. */
export interface ContextConnection {
  notify(method: string, params?: object, relatedTo?: RequestId): Promise<void>;
  /** @internal */
  notifyInBackground(method: string, params: object | undefined, relatedTo?: RequestId): void;
  /** @internal */
  report(error: unknown): void;
}

/** Who sent a message, as far as it is known; `side` says by which revision it is served. */
export interface RequestSender {
  readonly side: Side;
}

/** What a handler came to. */
export type HandlerOutcome = { readonly result: unknown } | { readonly error: unknown };

/** A request being handled, and the context that its handler gets. Nothing is made before a handler asks for it. */
export class RequestContext<Sender extends RequestSender = RequestSender> implements HandlerContext {
  readonly requestId: RequestId;
  readonly method: string;
  readonly params: Params | undefined;
  /** The peer has its answer, or wants none any more. @internal */
  done = false;
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;
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

  /** Aborted when the peer cancels the request or the connection ends; its reason says which. */
  get signal(): AbortSignal {
    // Making a signal costs more than a whole call, so it is made when somebody looks.
    if (!this.#controller) {
      this.#controller = new AbortController();
      this.extra?.watchDisconnect?.();
      if (this.#aborted) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  /** Whom the transport has authenticated. */
  get principal(): Principal | undefined {
    return this.extra?.principal;
  }

  /** The HTTP request that is being served, where it is one. */
  get http(): HttpRequestInfo | undefined {
    return this.extra?.http;
  }

  /** Sends a notification that belongs to this request. After the answer it does nothing. */
  notify(method: string, params?: object): Promise<void> {
    return this.done ? Promise.resolve() : this.connection.notify(method, params, this.requestId);
  }

  /**
   * Tells how far the request has come. Does nothing unless the peer asked for progress, and unless it grows;
   * numbers that are not finite are reported and not sent.
   */
  progress(progress: Progress): void {
    const token = this.params?._meta?.["progressToken"];
    if (this.done || token === undefined) return;
    // JSON has null for other numbers.
    if (!Number.isFinite(progress.progress) || !Number.isFinite(progress.total ?? 0))
      return this.connection.report(new TypeError(`progress of ${this.method} must be in finite numbers`));
    this.#progress ??= new ProgressThrottle((latest) =>
      this.connection.notifyInBackground(NOTIFICATIONS_PROGRESS, { progressToken: token, ...latest }, this.requestId),
    );
    this.#progress.report(progress);
  }

  /** The handler has ended after its request had been answered or cancelled. @internal */
  onLateOutcome(_outcome: HandlerOutcome): void {
    // Nobody waits for it.
  }

  /** Nothing may follow: the answer is about to be sent, or none will be. @internal */
  markAnswered(): void {
    this.#progress?.flush();
    this.done = true;
  }

  /** @internal */
  abort(reason: unknown): void {
    this.done = true;
    this.#aborted = { reason };
    this.#controller?.abort(reason);
  }
}
