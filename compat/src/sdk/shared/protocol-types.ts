import type { Principal } from "@mcpwright/runtime";
import type { CommonRequestOptions } from "../../shared/request-options.js";
import type { AuthInfo, Notification, Request, RequestId, RequestMeta } from "../messages.js";
import type {
  RelatedTaskMetadata,
  RequestTaskStore,
  TaskCreationParams,
  TaskMessageQueue,
  TaskStore,
} from "../experimental/tasks/task-types.js";
import type { AnySchema, SchemaOutput } from "../server/zod-compat.js";
import type { RequestInfo, Transport, TransportSendOptions } from "./transport.js";

export interface ProtocolOptions {
  /** Whether requests are refused that need a capability which the peer has not declared. Default: `false`. */
  enforceStrictCapabilities?: boolean | undefined;
  /** Methods of notifications without params, of which one is sent for several in the same tick. */
  debouncedNotificationMethods?: string[] | undefined;
  /** Keeps tasks; with it, requests can be run as tasks. */
  taskStore?: TaskStore | undefined;
  /** Keeps the messages of tasks until the peer asks for the result. */
  taskMessageQueue?: TaskMessageQueue | undefined;
  /** Milliseconds between two looks at a task. Default: `1_000`. */
  defaultTaskPollInterval?: number | undefined;
  maxTaskQueueSize?: number | undefined;
}

export type RequestOptions = CommonRequestOptions & {
  /** Requests that the peer runs the request as a task. */
  task?: TaskCreationParams | undefined;
  /** The task that the request belongs to: it is delivered with the result of the task. */
  relatedTask?: RelatedTaskMetadata | undefined;
} & TransportSendOptions;

export interface NotificationOptions {
  /** The received request that the notification belongs to. */
  relatedRequestId?: RequestId | undefined;
  relatedTask?: RelatedTaskMetadata | undefined;
}

export type TaskRequestOptions = Omit<RequestOptions, "relatedTask">;

/** What handlers get beside the request. */
export interface RequestHandlerExtra<SendRequestT extends Request, SendNotificationT extends Notification> {
  /** Aborted when the request is cancelled or the connection ends. */
  signal: AbortSignal;
  authInfo?: AuthInfo | undefined;
  sessionId?: string | undefined;
  _meta?: RequestMeta | undefined;
  requestId: RequestId;
  /** The task that the request belongs to. */
  taskId?: string | undefined;
  taskStore?: RequestTaskStore | undefined;
  /** Milliseconds that the peer wants the task to be kept. */
  taskRequestedTtl?: number | null | undefined;
  requestInfo?: RequestInfo | undefined;
  /** Sends a notification that belongs to the request. */
  sendNotification: (notification: SendNotificationT) => Promise<void>;
  /** Sends a request that belongs to the one being handled. */
  sendRequest: <U extends AnySchema>(
    request: SendRequestT,
    resultSchema: U,
    options?: TaskRequestOptions,
  ) => Promise<SchemaOutput<U>>;
  closeSSEStream?: (() => void) | undefined;
  closeStandaloneSSEStream?: (() => void) | undefined;
}

/** The request being handled, as the runtime describes it. */
export interface NativeRequest {
  readonly requestId: RequestId;
  readonly method: string;
  readonly params?: Record<string, unknown> | undefined;
  readonly signal: AbortSignal;
  readonly principal?: Principal | undefined;
}

/** The part of a connection of the runtime that both sides use. */
export interface NativeConnection {
  request(method: string, params: object | undefined, options?: object): Promise<unknown>;
  notify(method: string, params?: object, relatedTo?: RequestId): Promise<void>;
  close(): Promise<void>;
}

/** One side of the runtime. */
export interface NativeEnd {
  readonly connection: NativeConnection | undefined;
  open(transport: Transport): Promise<void>;
  /** Handles a request from now on; without a handler, no more. */
  handleRequest(method: string, handler: ((native: NativeRequest) => unknown) | undefined): void;
  handleNotification(method: string, handler: ((params: object | undefined) => unknown) | undefined): void;
  hasHandler(method: string): boolean;
  /** Prepares to send a message that the protocol may not have. */
  prepareRequest(method: string): void;
  prepareNotification(method: string): void;
}
