/** Model Context Protocol, revision 2026-07-28: the published facts in our own layout. `../docs.json` contains the texts. */

// JSON-RPC

export type JSONValue =
  string | number | boolean | null | JSONObject | JSONArray;

export type JSONObject = { [key: string]: JSONValue };

export type JSONArray = JSONValue[];

/** @internal */
export const LATEST_PROTOCOL_VERSION = "2026-07-28";

/** @internal */
export const JSONRPC_VERSION = "2.0";

export type RequestId = string | number;

export type JSONRPCMessage =
  JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

export interface Error {
  code: number;
  message: string;
  data?: unknown;
}

export interface JSONRPCRequest extends Request {
  jsonrpc: typeof JSONRPC_VERSION;
  id: RequestId;
}

export interface JSONRPCNotification extends Notification {
  jsonrpc: typeof JSONRPC_VERSION;
}

export interface JSONRPCResultResponse {
  jsonrpc: typeof JSONRPC_VERSION;
  id: RequestId;
  result: Result;
}

export interface JSONRPCErrorResponse {
  jsonrpc: typeof JSONRPC_VERSION;
  // Absent if the failed request is unknown.
  id?: RequestId;
  error: Error;
}

export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

export const PARSE_ERROR = -32700;

export const INVALID_REQUEST = -32600;

export const METHOD_NOT_FOUND = -32601;

export const INVALID_PARAMS = -32602;

export const INTERNAL_ERROR = -32603;

// Parameters and results shared by all messages

export type MetaObject = Record<string, unknown>;

export interface RequestMetaObject extends MetaObject {
  progressToken?: ProgressToken;
  "io.modelcontextprotocol/protocolVersion": string;
  "io.modelcontextprotocol/clientInfo"?: Implementation;
  "io.modelcontextprotocol/clientCapabilities": ClientCapabilities;
  /** @deprecated */
  "io.modelcontextprotocol/logLevel"?: LoggingLevel;
}

export interface NotificationMetaObject extends MetaObject {
  "io.modelcontextprotocol/subscriptionId"?: RequestId;
}

export interface ResultMetaObject extends MetaObject {
  "io.modelcontextprotocol/serverInfo"?: Implementation;
}

/** @internal */
export interface Request {
  method: string;
  params?: { [key: string]: any };
}

export interface RequestParams {
  // Required: every JSON-RPC request states its version and capabilities here.
  _meta: RequestMetaObject;
}

// An open list: every string is valid.
export type ResultType = "complete" | "input_required" | string;

export interface Result {
  resultType: ResultType;
  _meta?: ResultMetaObject;
  [key: string]: unknown;
}

export type EmptyResult = Result;

/** @internal */
export interface Notification {
  method: string;
  params?: { [key: string]: any };
}

export interface NotificationParams {
  _meta?: NotificationMetaObject;
}

/** @internal */
export interface BaseMetadata {
  name: string;
  title?: string;
}

export interface Icon {
  /** @format uri */
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: "light" | "dark";
}

/** @internal */
export interface Icons {
  icons?: Icon[];
}

// Opening

export interface Implementation extends BaseMetadata, Icons {
  version: string;
  description?: string;
  /** @format uri */
  websiteUrl?: string;
}

export interface ClientCapabilities {
  /** @deprecated */
  roots?: {};
  /** @deprecated */
  sampling?: {
    context?: JSONObject;
    tools?: JSONObject;
  };
  elicitation?: {
    form?: JSONObject;
    url?: JSONObject;
  };
  experimental?: { [key: string]: JSONObject };
  extensions?: { [key: string]: JSONObject };
}

export interface ServerCapabilities {
  resources?: {
    subscribe?: boolean;
    listChanged?: boolean;
  };
  prompts?: {
    listChanged?: boolean;
  };
  tools?: {
    listChanged?: boolean;
  };
  /** @deprecated */
  logging?: JSONObject;
  completions?: JSONObject;
  experimental?: { [key: string]: JSONObject };
  extensions?: { [key: string]: JSONObject };
}

export interface DiscoverRequest extends JSONRPCRequest {
  method: "server/discover";
  params: RequestParams;
}

export interface DiscoverResult extends CacheableResult {
  supportedVersions: string[];
  capabilities: ServerCapabilities;
  instructions?: string;
}

export interface DiscoverResultResponse extends JSONRPCResultResponse {
  result: DiscoverResult;
}

// Utilities: ping, progress, cancellation, pagination

export type ProgressToken = string | number;

export interface ProgressNotificationParams extends NotificationParams {
  progressToken: ProgressToken;
  /** @TJS-type number */
  progress: number;
  /** @TJS-type number */
  total?: number;
  message?: string;
}

export interface ProgressNotification extends JSONRPCNotification {
  method: "notifications/progress";
  params: ProgressNotificationParams;
}

export interface CancelledNotificationParams extends NotificationParams {
  requestId: RequestId;
  reason?: string;
}

export interface CancelledNotification extends JSONRPCNotification {
  method: "notifications/cancelled";
  params: CancelledNotificationParams;
}

export type Cursor = string;

export interface PaginatedRequestParams extends RequestParams {
  cursor?: Cursor;
}

/** @internal */
export interface PaginatedRequest extends JSONRPCRequest {
  params: PaginatedRequestParams;
}

/** @internal */
export interface PaginatedResult extends Result {
  nextCursor?: Cursor;
}

/** @internal */
export interface CacheableResult extends Result {
  /** @minimum 0 */
  ttlMs: number;
  cacheScope: "public" | "private";
}

// Resources

export interface Resource extends BaseMetadata, Icons {
  /** @format uri */
  uri: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export interface ResourceTemplate extends BaseMetadata, Icons {
  /** @format uri-template */
  uriTemplate: string;
  description?: string;
  mimeType?: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** @internal */
export interface ResourceContents {
  /** @format uri */
  uri: string;
  mimeType?: string;
  _meta?: MetaObject;
}

export interface TextResourceContents extends ResourceContents {
  text: string;
}

export interface BlobResourceContents extends ResourceContents {
  /** @format byte */
  blob: string;
}

/** @internal */
export interface ResourceRequestParams extends RequestParams {
  /** @format uri */
  uri: string;
}

export interface ListResourcesRequest extends PaginatedRequest {
  method: "resources/list";
}

export interface ListResourcesResult extends PaginatedResult, CacheableResult {
  resources: Resource[];
}

export interface ListResourcesResultResponse extends JSONRPCResultResponse {
  result: ListResourcesResult;
}

export interface ListResourceTemplatesRequest extends PaginatedRequest {
  method: "resources/templates/list";
}

export interface ListResourceTemplatesResult
  extends PaginatedResult, CacheableResult {
  resourceTemplates: ResourceTemplate[];
}

export interface ListResourceTemplatesResultResponse extends JSONRPCResultResponse {
  result: ListResourceTemplatesResult;
}

export interface ReadResourceRequestParams
  extends ResourceRequestParams, InputResponseRequestParams {}

export interface ReadResourceRequest extends JSONRPCRequest {
  method: "resources/read";
  params: ReadResourceRequestParams;
}

export interface ReadResourceResult extends CacheableResult {
  contents: (TextResourceContents | BlobResourceContents)[];
}

export interface ReadResourceResultResponse extends JSONRPCResultResponse {
  result: ReadResourceResult | InputRequiredResult;
}

export interface ResourceListChangedNotification extends JSONRPCNotification {
  method: "notifications/resources/list_changed";
  params?: NotificationParams;
}

export interface ResourceUpdatedNotificationParams extends NotificationParams {
  /** @format uri */
  uri: string;
}

export interface ResourceUpdatedNotification extends JSONRPCNotification {
  method: "notifications/resources/updated";
  params: ResourceUpdatedNotificationParams;
}

// Prompts

export interface Prompt extends BaseMetadata, Icons {
  description?: string;
  arguments?: PromptArgument[];
  _meta?: MetaObject;
}

export interface PromptArgument extends BaseMetadata {
  description?: string;
  required?: boolean;
}

export interface PromptMessage {
  role: Role;
  content: ContentBlock;
}

export interface ListPromptsRequest extends PaginatedRequest {
  method: "prompts/list";
}

export interface ListPromptsResult extends PaginatedResult, CacheableResult {
  prompts: Prompt[];
}

export interface ListPromptsResultResponse extends JSONRPCResultResponse {
  result: ListPromptsResult;
}

export interface GetPromptRequestParams extends InputResponseRequestParams {
  name: string;
  // Strings only, unlike the arguments of a tool.
  arguments?: { [key: string]: string };
}

export interface GetPromptRequest extends JSONRPCRequest {
  method: "prompts/get";
  params: GetPromptRequestParams;
}

export interface GetPromptResult extends Result {
  description?: string;
  messages: PromptMessage[];
}

export interface GetPromptResultResponse extends JSONRPCResultResponse {
  result: GetPromptResult | InputRequiredResult;
}

export interface PromptListChangedNotification extends JSONRPCNotification {
  method: "notifications/prompts/list_changed";
  params?: NotificationParams;
}

// Tools

export interface Tool extends BaseMetadata, Icons {
  description?: string;
  inputSchema: {
    $schema?: string;
    type: "object";
    [key: string]: unknown;
  };
  // May describe any type, not only an object.
  outputSchema?: {
    $schema?: string;
    [key: string]: unknown;
  };
  annotations?: ToolAnnotations;
  _meta?: MetaObject;
}

export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

export interface ListToolsRequest extends PaginatedRequest {
  method: "tools/list";
}

export interface ListToolsResult extends PaginatedResult, CacheableResult {
  tools: Tool[];
}

export interface ListToolsResultResponse extends JSONRPCResultResponse {
  result: ListToolsResult;
}

export interface CallToolRequestParams extends InputResponseRequestParams {
  name: string;
  arguments?: { [key: string]: unknown };
}

export interface CallToolRequest extends JSONRPCRequest {
  method: "tools/call";
  params: CallToolRequestParams;
}

export interface CallToolResult extends Result {
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
}

export interface CallToolResultResponse extends JSONRPCResultResponse {
  result: CallToolResult | InputRequiredResult;
}

export interface ToolListChangedNotification extends JSONRPCNotification {
  method: "notifications/tools/list_changed";
  params?: NotificationParams;
}

// Content

export type Role = "user" | "assistant";

export interface Annotations {
  audience?: Role[];
  /**
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  priority?: number;
  lastModified?: string;
}

export type ContentBlock =
  TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

export interface TextContent {
  type: "text";
  text: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export interface ImageContent {
  type: "image";
  /** @format byte */
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export interface AudioContent {
  type: "audio";
  /** @format byte */
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

export interface ResourceLink extends Resource {
  type: "resource_link";
}

export interface EmbeddedResource {
  type: "resource";
  resource: TextResourceContents | BlobResourceContents;
  annotations?: Annotations;
  _meta?: MetaObject;
}

// Logging

/** @deprecated */
export type LoggingLevel =
  | "debug"
  | "info"
  | "notice"
  | "warning"
  | "error"
  | "critical"
  | "alert"
  | "emergency";

/** @deprecated */
export interface LoggingMessageNotificationParams extends NotificationParams {
  level: LoggingLevel;
  logger?: string;
  data: unknown;
}

/** @deprecated */
export interface LoggingMessageNotification extends JSONRPCNotification {
  method: "notifications/message";
  params: LoggingMessageNotificationParams;
}

// Sampling

/** @deprecated */
export interface SamplingMessage {
  role: Role;
  // One block or a list of them.
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  _meta?: MetaObject;
}

/** @deprecated */
export type SamplingMessageContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

/** @deprecated */
export interface ToolUseContent {
  type: "tool_use";
  id: string;
  name: string;
  input: { [key: string]: unknown };
  _meta?: MetaObject;
}

/** @deprecated */
export interface ToolResultContent {
  type: "tool_result";
  toolUseId: string;
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: MetaObject;
}

/** @deprecated */
export interface ModelPreferences {
  hints?: ModelHint[];
  /**
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  costPriority?: number;
  /**
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  speedPriority?: number;
  /**
   * @TJS-type number
   * @minimum 0
   * @maximum 1
   */
  intelligencePriority?: number;
}

/** @deprecated */
export interface ModelHint {
  name?: string;
}

/** @deprecated */
export interface ToolChoice {
  mode?: "auto" | "required" | "none";
}

/** @deprecated */
export interface CreateMessageRequestParams {
  messages: SamplingMessage[];
  systemPrompt?: string;
  // In the official file, the tag refers to two of the three values.
  /** @deprecated */
  includeContext?: "none" | "thisServer" | "allServers";
  modelPreferences?: ModelPreferences;
  maxTokens: number;
  /** @TJS-type number */
  temperature?: number;
  stopSequences?: string[];
  tools?: Tool[];
  toolChoice?: ToolChoice;
  metadata?: JSONObject;
}

// Sent inside InputRequests, without envelope and id.
/** @deprecated */
export interface CreateMessageRequest {
  method: "sampling/createMessage";
  params: CreateMessageRequestParams;
}

/** @deprecated */
export interface CreateMessageResult extends SamplingMessage {
  model: string;
  // An open list: every string is valid.
  stopReason?: "endTurn" | "stopSequence" | "maxTokens" | "toolUse" | string;
}

// Completion

export interface PromptReference extends BaseMetadata {
  type: "ref/prompt";
}

export interface ResourceTemplateReference {
  type: "ref/resource";
  /** @format uri-template */
  uri: string;
}

export interface CompleteRequestParams extends RequestParams {
  ref: PromptReference | ResourceTemplateReference;
  argument: {
    name: string;
    value: string;
  };
  context?: {
    arguments?: { [key: string]: string };
  };
}

export interface CompleteRequest extends JSONRPCRequest {
  method: "completion/complete";
  params: CompleteRequestParams;
}

export interface CompleteResult extends Result {
  completion: {
    /** @maxItems 100 */
    values: string[];
    total?: number;
    hasMore?: boolean;
  };
}

export interface CompleteResultResponse extends JSONRPCResultResponse {
  result: CompleteResult;
}

// Roots

/** @deprecated */
export interface Root {
  /** @format uri */
  uri: string;
  name?: string;
  _meta?: MetaObject;
}

// Sent inside InputRequests, without envelope and id.
/** @deprecated */
export interface ListRootsRequest {
  method: "roots/list";
  params?: {
    _meta?: MetaObject;
  };
}

/** @deprecated */
export interface ListRootsResult {
  roots: Root[];
}

// Elicitation

export type PrimitiveSchemaDefinition =
  BooleanSchema | NumberSchema | StringSchema | EnumSchema;

export interface StringSchema {
  type: "string";
  title?: string;
  description?: string;
  format?: "email" | "uri" | "date" | "date-time";
  minLength?: number;
  maxLength?: number;
  default?: string;
}

export interface NumberSchema {
  type: "number" | "integer";
  title?: string;
  description?: string;
  /** @TJS-type number */
  minimum?: number;
  /** @TJS-type number */
  maximum?: number;
  /** @TJS-type number */
  default?: number;
}

export interface BooleanSchema {
  type: "boolean";
  title?: string;
  description?: string;
  default?: boolean;
}

export type EnumSchema =
  SingleSelectEnumSchema | MultiSelectEnumSchema | LegacyTitledEnumSchema;

export interface UntitledSingleSelectEnumSchema {
  type: "string";
  title?: string;
  description?: string;
  enum: string[];
  default?: string;
}

export interface TitledSingleSelectEnumSchema {
  type: "string";
  title?: string;
  description?: string;
  oneOf: Array<{
    const: string;
    title: string;
  }>;
  default?: string;
}

export type SingleSelectEnumSchema =
  UntitledSingleSelectEnumSchema | TitledSingleSelectEnumSchema;

export interface UntitledMultiSelectEnumSchema {
  type: "array";
  title?: string;
  description?: string;
  items: {
    type: "string";
    enum: string[];
  };
  minItems?: number;
  maxItems?: number;
  default?: string[];
}

export interface TitledMultiSelectEnumSchema {
  type: "array";
  title?: string;
  description?: string;
  // No "type" next to anyOf, unlike in the untitled form.
  items: {
    anyOf: Array<{
      const: string;
      title: string;
    }>;
  };
  minItems?: number;
  maxItems?: number;
  default?: string[];
}

export type MultiSelectEnumSchema =
  UntitledMultiSelectEnumSchema | TitledMultiSelectEnumSchema;

export interface LegacyTitledEnumSchema {
  type: "string";
  title?: string;
  description?: string;
  enum: string[];
  enumNames?: string[];
  default?: string;
}

export interface ElicitRequestFormParams {
  // An absent mode also means a form.
  mode?: "form";
  message: string;
  requestedSchema: {
    $schema?: string;
    type: "object";
    properties: {
      [key: string]: PrimitiveSchemaDefinition;
    };
    required?: string[];
  };
}

export interface ElicitRequestURLParams {
  mode: "url";
  message: string;
  /** @format uri */
  url: string;
}

export type ElicitRequestParams =
  ElicitRequestFormParams | ElicitRequestURLParams;

// Sent inside InputRequests, without envelope and id.
export interface ElicitRequest {
  method: "elicitation/create";
  params: ElicitRequestParams;
}

export interface ElicitResult {
  action: "accept" | "decline" | "cancel";
  content?: { [key: string]: string | number | boolean | string[] };
}

// Input requests carried in results

/** @internal */
export type InputRequest =
  CreateMessageRequest | ListRootsRequest | ElicitRequest;

export interface InputRequests {
  [key: string]: InputRequest;
}

/** @internal */
export type InputResponse =
  CreateMessageResult | ListRootsResult | ElicitResult;

export interface InputResponses {
  [key: string]: InputResponse;
}

export interface InputRequiredResult extends Result {
  inputRequests?: InputRequests;
  requestState?: string;
}

export interface InputResponseRequestParams extends RequestParams {
  inputResponses?: InputResponses;
  requestState?: string;
}

// Subscriptions

export interface SubscriptionFilter {
  resourcesListChanged?: boolean;
  resourceSubscriptions?: string[];
  promptsListChanged?: boolean;
  toolsListChanged?: boolean;
}

export interface SubscriptionsListenRequestParams extends RequestParams {
  notifications: SubscriptionFilter;
}

export interface SubscriptionsListenRequest extends JSONRPCRequest {
  method: "subscriptions/listen";
  params: SubscriptionsListenRequestParams;
}

export interface SubscriptionsListenResultMetaObject extends ResultMetaObject {
  "io.modelcontextprotocol/subscriptionId": RequestId;
}

export interface SubscriptionsListenResult extends Result {
  _meta: SubscriptionsListenResultMetaObject;
}

export interface SubscriptionsListenResultResponse extends JSONRPCResultResponse {
  result: SubscriptionsListenResult;
}

export interface SubscriptionsAcknowledgedNotificationParams extends NotificationParams {
  notifications: SubscriptionFilter;
}

export interface SubscriptionsAcknowledgedNotification extends JSONRPCNotification {
  method: "notifications/subscriptions/acknowledged";
  params: SubscriptionsAcknowledgedNotificationParams;
}

// Typed errors

export interface ParseError extends Error {
  code: typeof PARSE_ERROR;
}

export interface InvalidRequestError extends Error {
  code: typeof INVALID_REQUEST;
}

export interface MethodNotFoundError extends Error {
  code: typeof METHOD_NOT_FOUND;
}

export interface InvalidParamsError extends Error {
  code: typeof INVALID_PARAMS;
}

export interface InternalError extends Error {
  code: typeof INTERNAL_ERROR;
}

export const HEADER_MISMATCH = -32020;

export const MISSING_REQUIRED_CLIENT_CAPABILITY = -32021;

export const UNSUPPORTED_PROTOCOL_VERSION = -32022;

// The next three are whole error responses; the five above are error members.
export interface HeaderMismatchError extends Omit<
  JSONRPCErrorResponse,
  "error"
> {
  error: Error & {
    code: typeof HEADER_MISMATCH;
  };
}

export interface MissingRequiredClientCapabilityError extends Omit<
  JSONRPCErrorResponse,
  "error"
> {
  error: Error & {
    code: typeof MISSING_REQUIRED_CLIENT_CAPABILITY;
    data: {
      requiredCapabilities: ClientCapabilities;
    };
  };
}

export interface UnsupportedProtocolVersionError extends Omit<
  JSONRPCErrorResponse,
  "error"
> {
  error: Error & {
    code: typeof UNSUPPORTED_PROTOCOL_VERSION;
    data: {
      requested: string;
      supported: string[];
    };
  };
}

// Roles: messages by sender

/** @internal */
export type ClientRequest =
  | DiscoverRequest
  | ListResourcesRequest
  | ListResourceTemplatesRequest
  | ReadResourceRequest
  | ListPromptsRequest
  | GetPromptRequest
  | ListToolsRequest
  | CallToolRequest
  | CompleteRequest
  | SubscriptionsListenRequest;

/** @internal */
export type ClientResult = EmptyResult;

/** @internal */
export type ClientNotification = CancelledNotification;

// No ServerRequest in this revision.
/** @internal */
export type ServerResult =
  | EmptyResult
  | DiscoverResult
  | ListResourcesResult
  | ListResourceTemplatesResult
  | ReadResourceResult
  | ListPromptsResult
  | GetPromptResult
  | ListToolsResult
  | CallToolResult
  | CompleteResult
  | InputRequiredResult
  | SubscriptionsListenResult;

/** @internal */
export type ServerNotification =
  | ProgressNotification
  | CancelledNotification
  | ResourceListChangedNotification
  | ResourceUpdatedNotification
  | PromptListChangedNotification
  | ToolListChangedNotification
  | LoggingMessageNotification
  | SubscriptionsAcknowledgedNotification;
