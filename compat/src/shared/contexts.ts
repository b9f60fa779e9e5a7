import type {
  AuthInfo,
  CreateMessageRequest,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  LoggingLevel,
  MetaObject,
  Notification,
  Request,
  RequestId,
  RequestMeta,
  RequestMethod,
  ResultTypeMap,
} from "../types/index.js";
import type { RequestOptions } from "./request-options.js";
import type { StandardSchemaV1 } from "./standard-schema.js";

/** Returns the state that the handler has passed on in the previous round, as the option `requestState.verify` has decoded it. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the signature of the official SDK
export type RequestStateAccessor = <T = unknown>() => T | undefined;

/** Sends a request that belongs to the one being handled. */
export interface SendRequest {
  <Method extends RequestMethod>(
    request: { method: Method; params?: Record<string, unknown> },
    options?: RequestOptions,
  ): Promise<ResultTypeMap[Method]>;
  <Schema extends StandardSchemaV1>(
    request: Request,
    resultSchema: Schema,
    options?: RequestOptions,
  ): Promise<StandardSchemaV1.InferOutput<Schema>>;
}

/** What handlers get beside the request. */
export interface BaseContext {
  /** The id of the session, where the transport has one. */
  sessionId?: string | undefined;
  mcpReq: {
    id: RequestId;
    method: string;
    _meta?: RequestMeta | undefined;
    /** The part of the metadata with which each request of 2026-07-28 describes its client. */
    envelope?: MetaObject | undefined;
    /** The responses to the input requests of earlier rounds, by key. */
    inputResponses?: Record<string, unknown> | undefined;
    droppedInputResponseKeys?: string[] | undefined;
    requestState: RequestStateAccessor;
    /** Aborted when the request is cancelled or the connection ends. */
    signal: AbortSignal;
    send: SendRequest;
    /** Sends a notification that belongs to the request. */
    notify: (notification: Notification) => Promise<void>;
  };
  http?: { authInfo?: AuthInfo | undefined } | undefined;
}

export type ClientContext = BaseContext;

export type ServerContext = BaseContext & {
  mcpReq: {
    log: (level: LoggingLevel, data: unknown, logger?: string) => Promise<void>;
    /** Requests input from the user; clients of 2026-07-28 accept only `inputRequired`. */
    elicitInput: (
      params: ElicitRequestFormParams | ElicitRequestURLParams,
      options?: RequestOptions,
    ) => Promise<ElicitResult>;
    /** Requests a completion by the client's model; clients of 2026-07-28 accept only `inputRequired`. */
    requestSampling: (
      params: CreateMessageRequest["params"],
      options?: RequestOptions,
    ) => Promise<CreateMessageResult | CreateMessageResultWithTools>;
  };
  http?:
    | {
        req?: globalThis.Request | undefined;
        closeSSE?: (() => void) | undefined;
        closeStandaloneSSE?: (() => void) | undefined;
      }
    | undefined;
};
