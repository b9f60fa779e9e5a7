import { mergeCapabilities as merge } from "../../types/capabilities.js";
import { DebouncedNotifications } from "../../shared/debounced-notifications.js";
import { toRequestError } from "../../shared/request-errors.js";
import { toCallOptions } from "../../shared/request-options.js";
import { ErrorCode, McpError, toMcpError } from "../errors.js";
import { ProtocolTasks, type TaskHost } from "../experimental/tasks/protocol-tasks.js";
import type {
  ClientCapabilities,
  JSONRPCRequest,
  Notification,
  Request,
  RequestMeta,
  Result,
  ServerCapabilities,
} from "../messages.js";
import { parseUnlessChecked } from "../server/runtime-schemas.js";
import type { AnyObjectSchema, AnySchema, SchemaOutput } from "../server/zod-compat.js";
import { getMethodLiteral } from "../server/zod-json-schema-compat.js";
import type {
  NativeEnd,
  NativeRequest,
  NotificationOptions,
  ProtocolOptions,
  RequestHandlerExtra,
  RequestOptions,
} from "./protocol-types.js";
import { type AnyExtra, RequestExtra } from "./request-extra.js";
import type { Transport } from "./transport.js";

export type {
  NotificationOptions,
  ProtocolOptions,
  RequestHandlerExtra,
  RequestOptions,
  TaskRequestOptions,
} from "./protocol-types.js";
export type { RequestTaskStore } from "../experimental/tasks/task-types.js";
export { DEFAULT_REQUEST_TIMEOUT_MSEC, type ProgressCallback } from "../../shared/request-options.js";

/** The metadata that names the task of a message. */
const relatedTaskKey = "io.modelcontextprotocol/related-task";
const noTask: { readonly taskId?: string } = {};

/** The members that servers and clients have in common, over one side of the runtime. */
export abstract class Protocol<
  SendRequestT extends Request,
  SendNotificationT extends Notification,
  SendResultT extends Result,
> {
  /** Called when the connection has ended. */
  onclose?: (() => void) | undefined;
  /** Called with errors that belong to no request. */
  onerror?: ((error: Error) => void) | undefined;
  /** Handles requests whose method has no handler. */
  fallbackRequestHandler?:
    | ((request: JSONRPCRequest, extra: RequestHandlerExtra<SendRequestT, SendNotificationT>) => Promise<SendResultT>)
    | undefined;
  /** Handles notifications whose method has no handler. */
  fallbackNotificationHandler?: ((notification: Notification) => Promise<void>) | undefined;
  readonly #options: ProtocolOptions;
  readonly #debounced: DebouncedNotifications | undefined;
  readonly #tasks: ProtocolTasks | undefined;
  #transport: Transport | undefined;

  constructor(options: ProtocolOptions = {}) {
    this.#options = options;
    const { debouncedNotificationMethods: debounced } = options;
    this.#debounced = debounced && new DebouncedNotifications(debounced, (error) => this.onerror?.(error));
    if (options.taskStore) this.#tasks = new ProtocolTasks(options.taskStore, options, this.#taskHost());
  }

  #taskHost(): TaskHost {
    const protocol = this as unknown as Protocol<Request, Notification, Result>;
    return {
      get transport() {
        return protocol.#transport;
      },
      onerror: (error) => this.onerror?.(error),
      notification: (notification) => protocol.notification(notification),
      deliver: async ({ method, params }, isRequest, relatedRequestId) => {
        const { connection } = this.end;
        if (!connection) throw new Error("Not connected");
        return isRequest
          ? connection.request(method, params, toCallOptions({ relatedRequestId }))
          : connection.notify(method, params, relatedRequestId);
      },
    };
  }

  /** The side of the runtime. @internal */
  protected abstract readonly end: NativeEnd;
  /** @throws Error when the peer has not declared a capability that a request needs */
  protected abstract assertCapabilityForMethod(method: string): void;
  /** @throws Error when this side has not declared a capability that a notification needs */
  protected abstract assertNotificationCapability(method: string): void;
  /** @throws Error when this side has not declared a capability that a handler needs */
  protected abstract assertRequestHandlerCapability(method: string): void;
  /** @throws Error when the peer does not run requests of this method as tasks */
  protected abstract assertTaskCapability(method: string): void;
  /** @throws Error when this side does not run requests of this method as tasks */
  protected abstract assertTaskHandlerCapability(method: string): void;

  /** The handlers of tasks, for sides that are ready. @internal */
  protected installTaskHandlers(): void {
    this.#tasks?.install((method, handler) =>
      this.end.handleRequest(method, (native) => handler(native, this.createExtra(native))),
    );
  }

  get transport(): Transport | undefined {
    return this.#transport;
  }

  /** Opens a transport and serves the peer behind it. */
  async connect(transport: Transport): Promise<void> {
    if (this.#transport)
      throw new Error(
        "Already connected to a transport. Call close() before connecting to a new transport, or use a separate Protocol instance per connection.",
      );
    this.#transport = transport;
    try {
      await this.end.open(transport);
    } catch (error) {
      this.#transport = undefined;
      throw toMcpError(error);
    }
  }

  async close(): Promise<void> {
    // There is no connection during the handshake.
    await (this.end.connection ?? this.#transport)?.close();
  }

  /** Called when the transport has closed. @internal */
  protected onTransportClosed(): void {
    this.#transport = undefined;
    this.onclose?.();
  }

  /** Sends a request; the result is what the schema returns. */
  async request<T extends AnySchema>(
    request: SendRequestT,
    resultSchema: T,
    options: RequestOptions = {},
  ): Promise<SchemaOutput<T>> {
    const { method } = request;
    const { connection } = this.end;
    if (!connection) throw new Error("Not connected");
    if (this.#options.enforceStrictCapabilities) {
      this.assertCapabilityForMethod(method);
      if (options.task) this.assertTaskCapability(method);
    }
    options.signal?.throwIfAborted();
    const { task, relatedTask } = options;
    let params: Record<string, unknown> | undefined = request.params;
    if (task) params = { ...params, task };
    if (relatedTask) params = withMeta(params, { [relatedTaskKey]: relatedTask });
    const startedAt = performance.now();
    let result: unknown;
    try {
      this.end.prepareRequest(method);
      result = relatedTask
        ? await this.#taskQueue().request(relatedTask.taskId, { method, params: params ?? {} }, options)
        : await connection.request(method, params, toCallOptions(options));
    } catch (error) {
      // The reason of an abort.
      if (error instanceof McpError) throw error;
      throw toMcpError(toRequestError(error, options, startedAt));
    }
    return parseUnlessChecked(resultSchema, result);
  }

  #taskQueue(): ProtocolTasks {
    if (!this.#tasks || !this.#options.taskMessageQueue)
      throw new Error("Cannot enqueue task message: taskStore and taskMessageQueue are not configured");
    return this.#tasks;
  }

  /** Sends a notification. */
  async notification(notification: SendNotificationT, options: NotificationOptions = {}): Promise<void> {
    const { method } = notification;
    const { connection } = this.end;
    if (!connection) throw new Error("Not connected");
    this.assertNotificationCapability(method);
    const { relatedRequestId, relatedTask } = options;
    let params: Record<string, unknown> | undefined = notification.params;
    if (relatedTask) {
      params = withMeta(params, { [relatedTaskKey]: relatedTask });
      await this.#taskQueue().notify(relatedTask.taskId, { method, params });
      return;
    }
    this.end.prepareNotification(method);
    if (this.#debounced?.includes(method, params, relatedRequestId)) {
      this.#debounced.schedule(method, () => this.end.connection?.notify(method));
      return;
    }
    try {
      await connection.notify(method, params, relatedRequestId);
    } catch (error) {
      throw toMcpError(error);
    }
  }

  /** Handles the requests that a schema describes, in the place of an earlier handler. */
  setRequestHandler<T extends AnyObjectSchema>(
    requestSchema: T,
    handler: (
      request: SchemaOutput<T>,
      extra: RequestHandlerExtra<SendRequestT, SendNotificationT>,
    ) => SendResultT | Promise<SendResultT>,
  ): void {
    const method = getMethodLiteral(requestSchema);
    this.assertRequestHandlerCapability(method);
    this.handleRequest(method, (request, extra) => handler(parseUnlessChecked(requestSchema, request), extra));
  }

  /** Handles requests without a schema: the runtime has checked their params. @internal */
  handleRequest(
    method: string,
    handler: (request: { method: string; params?: never }, extra: AnyExtra) => unknown,
  ): void {
    this.end.handleRequest(method, (native) => {
      const { params } = native;
      if (params?.["task"] !== undefined) this.assertTaskHandlerCapability(method);
      return handler({ method, ...(params && { params: params as never }) }, this.createExtra(native));
    });
  }

  removeRequestHandler(method: string): void {
    this.end.handleRequest(method, undefined);
  }

  /** @throws Error when the method has a handler */
  assertCanSetRequestHandler(method: string): void {
    if (this.end.hasHandler(method))
      throw new Error(`A request handler for ${method} already exists, which would be overridden`);
  }

  /** Handles the notifications that a schema describes, in the place of an earlier handler. */
  setNotificationHandler<T extends AnyObjectSchema>(
    notificationSchema: T,
    handler: (notification: SchemaOutput<T>) => void | Promise<void>,
  ): void {
    const method = getMethodLiteral(notificationSchema);
    this.end.handleNotification(method, (params) =>
      handler(parseUnlessChecked(notificationSchema, { method, ...(params && { params }) })),
    );
  }

  removeNotificationHandler(method: string): void {
    this.end.handleNotification(method, undefined);
  }

  /** Calls `fallbackRequestHandler`. @internal */
  protected callFallback(native: NativeRequest): unknown {
    const { method, params, requestId: id } = native;
    const request: JSONRPCRequest = { jsonrpc: "2.0", id, method, ...(params && { params: params }) };
    return this.fallbackRequestHandler?.(request, this.createExtra(native));
  }

  /** @internal */
  protected createExtra(native: NativeRequest): AnyExtra {
    const { requestId, params } = native;
    const sessionId = this.#transport?.sessionId;
    const { taskId } = (params?.["_meta"] as RequestMeta | undefined)?.[relatedTaskKey] ?? noTask;
    const relatedTask = taskId === undefined ? undefined : { taskId };
    return new RequestExtra(native, {
      sessionId,
      taskId,
      taskStore: this.#tasks?.forRequest(native, sessionId),
      sendNotification: async (notification) => {
        // Handlers often do not wait for it: a rejection after the end of the request would end the process.
        if (native.signal.aborted) return;
        await this.notification(notification as never, { relatedRequestId: requestId, relatedTask });
      },
      sendRequest: async (request, resultSchema, options) => {
        if (native.signal.aborted) throw new McpError(ErrorCode.ConnectionClosed, "Request was cancelled");
        const taskOf = (options as RequestOptions | undefined)?.relatedTask ?? relatedTask;
        if (taskOf) await this.#tasks?.forRequest(native, sessionId).updateTaskStatus(taskOf.taskId, "input_required");
        return this.request(request as never, resultSchema, {
          ...options,
          relatedRequestId: requestId,
          relatedTask: taskOf,
        });
      },
    });
  }
}

function withMeta(params: Record<string, unknown> | undefined, meta: object): Record<string, unknown> {
  return { ...params, _meta: { ...(params?.["_meta"] as object | undefined), ...meta } };
}

/** Merges capabilities, one level deep. */
export function mergeCapabilities(
  base: ServerCapabilities,
  additional: Partial<ServerCapabilities>,
): ServerCapabilities;
export function mergeCapabilities(
  base: ClientCapabilities,
  additional: Partial<ClientCapabilities>,
): ClientCapabilities;
export function mergeCapabilities(base: object, additional: object): object {
  return merge(base, additional);
}
