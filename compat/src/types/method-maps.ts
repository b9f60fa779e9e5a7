import type {
  CallToolResult,
  ClientNotification,
  ClientRequest,
  CompleteResult,
  CreateMessageResult,
  CreateMessageResultWithTools,
  DiscoverResult,
  ElicitResult,
  EmptyResult,
  GetPromptResult,
  InitializeResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListRootsResult,
  ListToolsResult,
  ReadResourceResult,
  ServerNotification,
  ServerRequest,
  SubscriptionsListenResult,
} from "./core-messages.js";
import type { InputRequiredResult } from "./input-requests.js";

type ByMethod<Message> = {
  [Each in Message as Each extends { method: infer Method extends string } ? Method : never]: Each;
};

/** The requests by method, as their handlers get them. */
export type RequestTypeMap = ByMethod<ClientRequest | ServerRequest>;
/** The notifications by method, as their handlers get them. */
export type NotificationTypeMap = ByMethod<ClientNotification | ServerNotification>;

export type RequestMethod = keyof RequestTypeMap;
export type NotificationMethod = keyof NotificationTypeMap;

/** The results by method. */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- programs assign it to types with an index signature
export type ResultTypeMap = {
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
};

/** The results that handlers may return, by method. */
export type HandlerResultTypeMap = {
  [Method in keyof ResultTypeMap]: Method extends "tools/call" | "prompts/get" | "resources/read"
    ? ResultTypeMap[Method] | InputRequiredResult
    : ResultTypeMap[Method];
};
