import { RemoteError } from "@mcpwright/runtime/errors";
import type { BaseContext } from "./contexts.js";
import { DebouncedNotifications } from "./debounced-notifications.js";
import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode, toOfficialError } from "./errors.js";
import type {
  HandlerResultTypeMap,
  JSONRPCRequest,
  Notification,
  NotificationMethod,
  NotificationTypeMap,
  Request,
  RequestId,
  RequestMethod,
  RequestTypeMap,
  Result,
  ResultTypeMap,
} from "../types/index.js";
import { toRequestError } from "./request-errors.js";
import {
  type NotificationOptions,
  type ProtocolOptions,
  type RequestOptions,
  toCallOptions,
} from "./request-options.js";
import { isStandardSchema, issuesText, type StandardSchemaV1 } from "./standard-schema.js";
import type { Transport } from "./transport.js";

/** The schemas of a method of a program. */
export interface RequestHandlerSchemas<
  P extends StandardSchemaV1 = StandardSchemaV1,
  R extends StandardSchemaV1 | undefined = StandardSchemaV1 | undefined,
> {
  params: P;
  result?: R;
}

export type InferHandlerResult<R extends StandardSchemaV1 | undefined> = R extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<R>
  : Result;

/** The part of a connection of the runtime that both sides use. */
export interface NativeConnection {
  request(method: string, params: object | undefined, options?: object): Promise<unknown>;
  notify(method: string, params?: object, relatedTo?: RequestId): Promise<void>;
  close(): Promise<void>;
}

/** Handles a request or notification as the runtime passes it on. */
export type NativeHandler = (params: object, native: object) => unknown;

/** A handler with an unknown type of messages. */
type AnyHandler = (message: never, context: never) => unknown;

/** The members that servers and clients have in common, over a connection of the runtime. */
export abstract class Protocol<ContextT extends BaseContext> {
  /** Called when the connection has ended. */
  onclose?: () => void;
  /** Called with errors that belong to no request. */
  onerror?: (error: Error) => void;
  /** Handles requests whose method has no handler. */
  fallbackRequestHandler?: (request: JSONRPCRequest, ctx: ContextT) => Promise<Result>;
  /** Handles notifications whose method has no handler. */
  fallbackNotificationHandler?: (notification: Notification) => Promise<void>;
  /** The handlers of the program. Those that instrument the official SDK replace them here, so they are looked up. @internal */
  readonly _requestHandlers = new Map<string, (request: JSONRPCRequest, ctx: ContextT) => unknown>();
  readonly #installed = new Set<string>();
  readonly #debounced: DebouncedNotifications | undefined;
  #transport: Transport | undefined;

  constructor(protected readonly protocolOptions: ProtocolOptions = {}) {
    const { debouncedNotificationMethods: debounced } = protocolOptions;
    this.#debounced = debounced && new DebouncedNotifications(debounced, (error) => this.onerror?.(error));
  }

  /** The open connection. */
  protected abstract get connection(): NativeConnection | undefined;
  /** Opens a connection over a transport. */
  protected abstract open(transport: Transport): Promise<void>;
  /** Handles a request from now on; the protocol may not have the method. */
  protected abstract handleRequest(method: string, handler: NativeHandler): void;
  /** Without a handler, later notifications are for `fallbackNotificationHandler`. */
  protected abstract handleNotification(method: string, handler: NativeHandler | undefined): void;
  /** Prepares to send a request that the protocol may not have. */
  protected abstract prepareRequest(method: string): void;
  protected abstract prepareNotification(method: string): void;
  /** Whether a result of the peer is valid. Methods of programs accept any. */
  protected abstract acceptsResult(method: string, result: unknown): boolean;
  /** The context for handlers of the program. */
  protected abstract toContext(native: object): ContextT;
  /** @throws SdkError when the peer has not declared a capability that a request needs */
  protected assertCapabilityForMethod(_method: string): void {
    // Nothing is required by default.
  }

  /** @throws SdkError when this side has not declared a capability that a notification needs */
  protected assertNotificationCapability(_method: string): void {
    // Nothing is required by default.
  }

  /** @throws SdkError when this side has not declared a capability that a handler needs */
  protected assertRequestHandlerCapability(_method: string): void {
    // Nothing is required by default.
  }

  get transport(): Transport | undefined {
    return this.#transport;
  }

  /** Opens a transport and serves the peer behind it. */
  async connect(transport: Transport): Promise<void> {
    if (this.#transport)
      throw new SdkError(
        SdkErrorCode.AlreadyConnected,
        "Already connected to a transport. Call close() before connecting to a new transport, or use a separate Protocol instance per connection.",
      );
    this.#transport = transport;
    try {
      await this.open(transport);
    } catch (error) {
      this.#transport = undefined;
      throw toOfficialError(error);
    }
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    // There is no connection during the handshake.
    await (this.connection ?? this.#transport)?.close();
  }

  /** Called when the transport has closed. */
  protected onTransportClosed(): void {
    this.#transport = undefined;
    this.onclose?.();
  }

  /** Sends a request of the protocol. */
  request<Method extends RequestMethod>(
    request: { method: Method; params?: Record<string, unknown> },
    options?: RequestOptions,
  ): Promise<ResultTypeMap[Method]>;
  /** Sends any request; the result is what the schema returns. */
  request<Schema extends StandardSchemaV1>(
    request: Request,
    resultSchema: Schema,
    options?: RequestOptions,
  ): Promise<StandardSchemaV1.InferOutput<Schema>>;
  request(request: Request, ...rest: readonly unknown[]): Promise<unknown> {
    return this.send(request, undefined, rest);
  }

  /** Sends a request, on behalf of one that is being handled if `relatedTo` is its id. */
  protected async send(
    { method, params }: { readonly method: string; readonly params?: object | undefined },
    relatedTo: RequestId | undefined,
    [first, second]: readonly unknown[],
  ): Promise<unknown> {
    const schema = isStandardSchema(first) ? first : undefined;
    const options = (schema ? second : first) as RequestOptions | undefined;
    const { connection } = this;
    // Not an SdkError: so in the official SDK.
    if (!connection) throw new Error("Not connected");
    if (this.protocolOptions.enforceStrictCapabilities) this.assertCapabilityForMethod(method);
    this.prepareRequest(method);
    const startedAt = performance.now();
    let result: unknown;
    try {
      result = await connection.request(method, params, toCallOptions(options, relatedTo));
    } catch (error) {
      throw toRequestError(error, options, startedAt);
    }
    return schema ? checkedResult(method, schema, result) : this.#known(method, result);
  }

  /** Sends a notification. */
  async notification(notification: Notification, options?: NotificationOptions): Promise<void> {
    const { method, params } = notification;
    const { connection } = this;
    if (!connection) throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
    this.assertNotificationCapability(method);
    const relatedTo = options?.relatedRequestId;
    this.prepareNotification(method);
    if (this.#debounced?.includes(method, params, relatedTo)) {
      this.#debounced.schedule(method, () => this.connection?.notify(method));
      return;
    }
    try {
      await connection.notify(method, params, relatedTo);
    } catch (error) {
      throw toOfficialError(error);
    }
  }

  /** Handles a request of the protocol, in the place of an earlier handler. */
  setRequestHandler<Method extends RequestMethod>(
    method: Method,
    handler: (
      request: RequestTypeMap[Method],
      ctx: ContextT,
    ) => HandlerResultTypeMap[Method] | Promise<HandlerResultTypeMap[Method]>,
  ): void;
  /** Handles any request with schemas of the program. */
  setRequestHandler<P extends StandardSchemaV1, R extends StandardSchemaV1 | undefined = undefined>(
    method: string,
    schemas: { params: P; result?: R },
    handler: (
      params: StandardSchemaV1.InferOutput<P>,
      ctx: ContextT,
    ) => InferHandlerResult<R> | Promise<InferHandlerResult<R>>,
  ): void;
  setRequestHandler(method: string, first: RequestHandlerSchemas | AnyHandler, second?: AnyHandler): void {
    this.assertRequestHandlerCapability(method);
    const run = typeof first === "function" ? first : withSchemas(method, first, second);
    this._requestHandlers.set(method, run as (request: JSONRPCRequest, ctx: ContextT) => unknown);
    if (this.#installed.has(method)) return;
    this.#installed.add(method);
    this.handleRequest(method, (params, native) => this.#dispatch(method, params, native));
  }

  #dispatch(method: string, params: object, native: object): unknown {
    const run = this._requestHandlers.get(method);
    if (!run) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "Method not found");
    const { requestId: id } = native as { readonly requestId: RequestId };
    return run({ jsonrpc: "2.0", id, method, params: params as never }, this.toContext(native));
  }

  /** Whether the program handles a request. */
  protected handles(method: string): boolean {
    return this._requestHandlers.has(method);
  }

  /** Removes a handler; later requests are answered with `Method not found`. */
  removeRequestHandler(method: string): void {
    this._requestHandlers.delete(method);
  }

  /** @throws Error when the method has a handler */
  assertCanSetRequestHandler(method: string): void {
    if (this.handles(method))
      throw new Error(`A request handler for ${method} already exists, which would be overridden`);
  }

  /** Handles a notification of the protocol, in the place of an earlier handler. */
  setNotificationHandler<Method extends NotificationMethod>(
    method: Method,
    handler: (notification: NotificationTypeMap[Method]) => void | Promise<void>,
  ): void;
  /** Handles any notification with a schema of the program. */
  setNotificationHandler<P extends StandardSchemaV1>(
    method: string,
    schemas: { params: P },
    handler: (params: StandardSchemaV1.InferOutput<P>, notification: Notification) => void | Promise<void>,
  ): void;
  setNotificationHandler(
    method: string,
    first: { readonly params: StandardSchemaV1 } | AnyHandler,
    second?: AnyHandler,
  ): void {
    if (typeof first === "function") {
      const handler = first as (notification: unknown) => unknown;
      this.handleNotification(method, (params) => handler({ method, params }));
      return;
    }
    const handler = second as (params: unknown, notification: Notification) => unknown;
    this.handleNotification(method, async (params) => {
      const checked = await first.params["~standard"].validate(withoutMeta(params));
      if (checked.issues) throw new TypeError(`Invalid params for ${method}: ${issuesText(checked.issues)}`);
      await handler(checked.value, { method, params: params as NonNullable<Notification["params"]> });
    });
  }

  /** Removes a handler; later notifications are for `fallbackNotificationHandler`. */
  removeNotificationHandler(method: string): void {
    this.handleNotification(method, undefined);
  }

  #known(method: string, result: unknown): unknown {
    if (this.acceptsResult(method, result)) return result;
    throw new SdkError(SdkErrorCode.InvalidResult, `Invalid result for ${method}`, { result });
  }
}

/** A handler that gets the params as its schema returns them. */
function withSchemas(
  method: string,
  { params: schema, result: resultSchema }: RequestHandlerSchemas,
  given: AnyHandler | undefined,
): (request: JSONRPCRequest, ctx: unknown) => Promise<unknown> {
  if (typeof given !== "function") throw new TypeError("setRequestHandler: handler is required");
  const handler = given as (params: unknown, context: unknown) => unknown;
  return async ({ params = {} }, ctx) => {
    const checked = await schema["~standard"].validate(withoutMeta(params));
    if (checked.issues)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Invalid params for ${method}: ${issuesText(checked.issues)}`,
      );
    const result = await handler(checked.value, ctx);
    if (!resultSchema) return result;
    const made = await resultSchema["~standard"].validate(result);
    if (!made.issues) return made.value;
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      `Invalid result for ${method}: ${issuesText(made.issues)}`,
    );
  };
}

/** Params without the metadata, which schemas of programs do not know. */
function withoutMeta(params: object): object {
  if (!("_meta" in params)) return params;
  const { _meta, ...own } = params as { readonly _meta?: unknown };
  return own;
}

/** The result of a request as its schema reads it. @throws SdkError `INVALID_RESULT` */
export async function checkedResult(method: string, schema: StandardSchemaV1, result: unknown): Promise<unknown> {
  const checked = await schema["~standard"].validate(result);
  if (!checked.issues) return checked.value;
  const problem = `Invalid result for ${method}: ${issuesText(checked.issues)}`;
  throw new SdkError(SdkErrorCode.InvalidResult, problem, { result });
}

/**
 * Converts an error of a handler to the one to respond with. The official SDK sends the message of every error, so programs rely on it.
 */
export function toResponseError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError && !(error instanceof RemoteError)) return error;
  const { code, message, data } = Object(error) as { code?: unknown; message?: unknown; data?: unknown };
  return new ProtocolError(
    Number.isSafeInteger(code) ? (code as number) : ProtocolErrorCode.InternalError,
    typeof message === "string" ? message : "Internal error",
    data,
  );
}
