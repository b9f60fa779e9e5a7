// The messages as programs for the official SDK name them: without the members that the transport adds, and with those of every revision.
import type * as newest from "@mcpwright/protocol/2026-07-28";
import type * as session from "@mcpwright/protocol/2025-11-25";

/** A type without members of the wire that programs never set. */
type Without<T, Keys extends PropertyKey> = T extends unknown
  ? { [Key in keyof T as Key extends Keys ? never : Key]: T[Key] }
  : never;

/** A result without its tag, which the runtime adds. */
type Own<T> = Without<T, "resultType">;

export type RequestId = string | number;
export type ProgressToken = string | number;
export type Meta = Record<string, unknown>;

/** The metadata of a request. */
export interface RequestMeta {
  progressToken?: ProgressToken | undefined;
  [key: string]: unknown;
}

export interface RequestParams {
  _meta?: RequestMeta | undefined;
  [key: string]: unknown;
}

/** A request as programs send it. */
export interface Request {
  method: string;
  params?: RequestParams | undefined;
}

/** A notification as programs send it. */
export interface Notification {
  method: string;
  params?: { _meta?: Meta | undefined; [key: string]: unknown } | undefined;
}

export interface Result {
  _meta?: Meta | undefined;
  [key: string]: unknown;
}

export interface JSONRPCRequest extends Request {
  jsonrpc: "2.0";
  id: RequestId;
}

export interface JSONRPCNotification extends Notification {
  jsonrpc: "2.0";
}

export interface JSONRPCResultResponse {
  jsonrpc: "2.0";
  id: RequestId;
  result: Result;
}

export interface JSONRPCErrorResponse {
  jsonrpc: "2.0";
  id?: RequestId | undefined;
  error: { code: number; message: string; data?: unknown };
}

export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

export interface Progress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}
export type EmptyResult = Result;
export type Implementation = session.Implementation;
export type ClientCapabilities = session.ClientCapabilities & { extensions?: Record<string, object> };
export type ServerCapabilities = session.ServerCapabilities & { extensions?: Record<string, object> };
export type BaseMetadata = session.BaseMetadata;
export type Icon = session.Icon;
export type LoggingLevel = session.LoggingLevel;
export type Root = session.Root;
export type Tool = Without<session.Tool, "outputSchema" | "inputSchema"> & {
  inputSchema: { type: "object"; [keyword: string]: unknown };
  outputSchema?: Record<string, unknown> | undefined;
};
export type ToolAnnotations = session.ToolAnnotations;
export type ToolExecution = session.ToolExecution;
export type Resource = session.Resource;
export type Prompt = session.Prompt;
export type ContentBlock = session.ContentBlock;
export type InitializeResult = session.InitializeResult;
export type DiscoverResult = Without<newest.DiscoverResult, "resultType" | "ttlMs" | "cacheScope">;
export type CompleteResult = Own<session.CompleteResult>;
export type GetPromptResult = Own<session.GetPromptResult>;
export type ListPromptsResult = Own<session.ListPromptsResult>;
export type ListResourcesResult = Own<session.ListResourcesResult>;
export type ListResourceTemplatesResult = Own<session.ListResourceTemplatesResult>;
export type ReadResourceResult = Own<session.ReadResourceResult>;
export interface ListToolsResult extends Result {
  tools: Tool[];
  nextCursor?: string | undefined;
}
export interface CallToolResult extends Result {
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean | undefined;
}
export type CreateMessageRequestParams = session.CreateMessageRequestParams;
export type CreateMessageRequestParamsBase = Without<CreateMessageRequestParams, "tools" | "toolChoice">;
export type CreateMessageRequestParamsWithTools = CreateMessageRequestParams & { tools: session.Tool[] };
export type CreateMessageResultWithTools = session.CreateMessageResult;
/** The result of a sampling request without tools: one block of content. */
export type CreateMessageResult = Without<session.CreateMessageResult, "content"> & {
  content: session.TextContent | session.ImageContent | session.AudioContent;
};
export type ElicitRequestFormParams = session.ElicitRequestFormParams;
export type ElicitRequestURLParams = session.ElicitRequestURLParams;
export type ElicitResult = session.ElicitResult;
export type ListRootsResult = session.ListRootsResult;
export type LoggingMessageNotificationParams = session.LoggingMessageNotificationParams;
export type ResourceUpdatedNotificationParams = session.ResourceUpdatedNotificationParams;
export type SubscriptionsListenResult = Own<newest.SubscriptionsListenResult>;

interface ParamsOfRequests extends Omit<session.ClientRequests & session.ServerRequests, TaskRequestMethod | "ping"> {
  ping: { params: session.RequestParams | undefined };
  "server/discover": { params: RequestParams | undefined };
  "subscriptions/listen": { params: Without<newest.SubscriptionsListenRequestParams, "_meta"> & RequestParams };
}
type ParamsOfNotifications = Omit<
  session.ClientNotifications & session.ServerNotifications,
  "notifications/tasks/status"
> &
  Pick<newest.ServerNotifications, "notifications/subscriptions/acknowledged">;
type TaskRequestMethod = "tasks/get" | "tasks/result" | "tasks/list" | "tasks/cancel";

export type RequestMethod = keyof ParamsOfRequests;
export type NotificationMethod = keyof ParamsOfNotifications;

type Message<Method, Params> = undefined extends Params
  ? { method: Method; params?: Exclude<Params, undefined> | undefined }
  : { method: Method; params: Params };

/** The requests by method, as their handlers get them. */
export type RequestTypeMap = {
  [Method in RequestMethod]: Message<Method, ParamsOfRequests[Method]["params"]>;
};
/** The notifications by method, as their handlers get them. */
export type NotificationTypeMap = {
  [Method in NotificationMethod]: Message<Method, ParamsOfNotifications[Method]>;
};

export type CallToolRequest = RequestTypeMap["tools/call"];
export type CompleteRequest = RequestTypeMap["completion/complete"];
export type CreateMessageRequest = RequestTypeMap["sampling/createMessage"];
export type ElicitRequest = RequestTypeMap["elicitation/create"];
export type ListRootsRequest = RequestTypeMap["roots/list"];

/** The results by method. */
export interface ResultTypeMap {
  ping: EmptyResult;
  initialize: InitializeResult;
  "server/discover": DiscoverResult;
  "completion/complete": CompleteResult;
  "logging/setLevel": EmptyResult;
  "prompts/get": GetPromptResult;
  "prompts/list": ListPromptsResult;
  "resources/list": ListResourcesResult;
  "resources/templates/list": ListResourceTemplatesResult;
  "resources/read": ReadResourceResult;
  "resources/subscribe": EmptyResult;
  "resources/unsubscribe": EmptyResult;
  "subscriptions/listen": SubscriptionsListenResult;
  "tools/call": CallToolResult;
  "tools/list": ListToolsResult;
  "sampling/createMessage": CreateMessageResult | CreateMessageResultWithTools;
  "elicitation/create": ElicitResult;
  "roots/list": ListRootsResult;
}

export type InputRequest = CreateMessageRequest | ListRootsRequest | ElicitRequest;
export type InputResponse = CreateMessageResult | ListRootsResult | ElicitResult;
export type InputRequests = Record<string, InputRequest>;
export type InputResponses = Record<string, InputResponse>;

/** What a handler returns to request input from the user. */
export interface InputRequiredResult extends Result {
  resultType: "input_required";
  inputRequests?: InputRequests | undefined;
  requestState?: string | undefined;
}

/** The results that handlers may return, by method. */
export type HandlerResultTypeMap = {
  [Method in keyof ResultTypeMap]: Method extends "tools/call" | "prompts/get" | "resources/read"
    ? ResultTypeMap[Method] | InputRequiredResult
    : ResultTypeMap[Method];
};

/** The client that sent a request, as a verifier of access tokens describes it. */
export interface AuthInfo {
  token: string;
  clientId: string;
  scopes: string[];
  /** Seconds since the epoch. */
  expiresAt?: number;
  resource?: URL;
  resourceMetadataUrl?: string;
  extra?: Record<string, unknown>;
}

/** The era by which a message is served, and the revision that it names. */
export interface MessageClassification {
  era: "legacy" | "modern";
  revision?: string;
}

/** What a transport knows about a message in addition to its content. */
export interface MessageExtraInfo {
  request?: globalThis.Request | undefined;
  classification?: MessageClassification | undefined;
  authInfo?: AuthInfo | undefined;
  closeSSEStream?: (() => void) | undefined;
  closeStandaloneSSEStream?: (() => void) | undefined;
}
