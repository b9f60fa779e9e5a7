/** Model Context Protocol, revision 2025-11-25: the published facts in our own layout. `../docs.json` contains the texts. */

// JSON-RPC

/** @internal */
export const LATEST_PROTOCOL_VERSION = "2025-11-25";

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

/** @internal */
export interface Request {
  method: string;
  params?: { [key: string]: any };
}

/** @internal */
export interface RequestParams {
  _meta?: {
    progressToken?: ProgressToken;
    [key: string]: unknown;
  };
}

export interface Result {
  _meta?: { [key: string]: unknown };
  [key: string]: unknown;
}

export type EmptyResult = Result;

/** @internal */
export interface Notification {
  method: string;
  params?: { [key: string]: any };
}

/** @internal */
export interface NotificationParams {
  _meta?: { [key: string]: unknown };
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
  roots?: {
    listChanged?: boolean;
  };
  sampling?: {
    context?: object;
    tools?: object;
  };
  elicitation?: {
    form?: object;
    url?: object;
  };
  tasks?: {
    list?: object;
    cancel?: object;
    requests?: {
      sampling?: {
        createMessage?: object;
      };
      elicitation?: {
        create?: object;
      };
    };
  };
  experimental?: { [key: string]: object };
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
  logging?: object;
  completions?: object;
  tasks?: {
    list?: object;
    cancel?: object;
    requests?: {
      tools?: {
        call?: object;
      };
    };
  };
  experimental?: { [key: string]: object };
}

export interface InitializeRequestParams extends RequestParams {
  protocolVersion: string;
  clientInfo: Implementation;
  capabilities: ClientCapabilities;
}

export interface InitializeRequest extends JSONRPCRequest {
  method: "initialize";
  params: InitializeRequestParams;
}

export interface InitializeResult extends Result {
  protocolVersion: string;
  serverInfo: Implementation;
  capabilities: ServerCapabilities;
  instructions?: string;
}

export interface InitializedNotification extends JSONRPCNotification {
  method: "notifications/initialized";
  params?: NotificationParams;
}

// Utilities: ping, progress, cancellation, pagination

export interface PingRequest extends JSONRPCRequest {
  method: "ping";
  params?: RequestParams;
}

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
  // Optional in this revision.
  requestId?: RequestId;
  reason?: string;
}

export interface CancelledNotification extends JSONRPCNotification {
  method: "notifications/cancelled";
  params: CancelledNotificationParams;
}

export type Cursor = string;

/** @internal */
export interface PaginatedRequestParams extends RequestParams {
  cursor?: Cursor;
}

/** @internal */
export interface PaginatedRequest extends JSONRPCRequest {
  params?: PaginatedRequestParams;
}

/** @internal */
export interface PaginatedResult extends Result {
  nextCursor?: Cursor;
}

// Resources

export interface Resource extends BaseMetadata, Icons {
  /** @format uri */
  uri: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

export interface ResourceTemplate extends BaseMetadata, Icons {
  /** @format uri-template */
  uriTemplate: string;
  description?: string;
  mimeType?: string;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

/** @internal */
export interface ResourceContents {
  /** @format uri */
  uri: string;
  mimeType?: string;
  _meta?: { [key: string]: unknown };
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

export interface ListResourcesResult extends PaginatedResult {
  resources: Resource[];
}

export interface ListResourceTemplatesRequest extends PaginatedRequest {
  method: "resources/templates/list";
}

export interface ListResourceTemplatesResult extends PaginatedResult {
  resourceTemplates: ResourceTemplate[];
}

export interface ReadResourceRequestParams extends ResourceRequestParams {}

export interface ReadResourceRequest extends JSONRPCRequest {
  method: "resources/read";
  params: ReadResourceRequestParams;
}

export interface ReadResourceResult extends Result {
  contents: (TextResourceContents | BlobResourceContents)[];
}

export interface SubscribeRequestParams extends ResourceRequestParams {}

export interface SubscribeRequest extends JSONRPCRequest {
  method: "resources/subscribe";
  params: SubscribeRequestParams;
}

export interface UnsubscribeRequestParams extends ResourceRequestParams {}

export interface UnsubscribeRequest extends JSONRPCRequest {
  method: "resources/unsubscribe";
  params: UnsubscribeRequestParams;
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
  _meta?: { [key: string]: unknown };
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

export interface ListPromptsResult extends PaginatedResult {
  prompts: Prompt[];
}

export interface GetPromptRequestParams extends RequestParams {
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
    properties?: { [key: string]: object };
    required?: string[];
  };
  outputSchema?: {
    $schema?: string;
    type: "object";
    properties?: { [key: string]: object };
    required?: string[];
  };
  annotations?: ToolAnnotations;
  execution?: ToolExecution;
  _meta?: { [key: string]: unknown };
}

export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

export interface ToolExecution {
  taskSupport?: "forbidden" | "optional" | "required";
}

export interface ListToolsRequest extends PaginatedRequest {
  method: "tools/list";
}

export interface ListToolsResult extends PaginatedResult {
  tools: Tool[];
}

export interface CallToolRequestParams extends TaskAugmentedRequestParams {
  name: string;
  arguments?: { [key: string]: unknown };
}

export interface CallToolRequest extends JSONRPCRequest {
  method: "tools/call";
  params: CallToolRequestParams;
}

export interface CallToolResult extends Result {
  content: ContentBlock[];
  structuredContent?: { [key: string]: unknown };
  isError?: boolean;
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
  _meta?: { [key: string]: unknown };
}

export interface ImageContent {
  type: "image";
  /** @format byte */
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

export interface AudioContent {
  type: "audio";
  /** @format byte */
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

export interface ResourceLink extends Resource {
  type: "resource_link";
}

export interface EmbeddedResource {
  type: "resource";
  resource: TextResourceContents | BlobResourceContents;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

// Logging

export type LoggingLevel =
  | "debug"
  | "info"
  | "notice"
  | "warning"
  | "error"
  | "critical"
  | "alert"
  | "emergency";

export interface SetLevelRequestParams extends RequestParams {
  level: LoggingLevel;
}

export interface SetLevelRequest extends JSONRPCRequest {
  method: "logging/setLevel";
  params: SetLevelRequestParams;
}

export interface LoggingMessageNotificationParams extends NotificationParams {
  level: LoggingLevel;
  logger?: string;
  data: unknown;
}

export interface LoggingMessageNotification extends JSONRPCNotification {
  method: "notifications/message";
  params: LoggingMessageNotificationParams;
}

// Sampling

export interface SamplingMessage {
  role: Role;
  // One block or a list of them.
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  _meta?: { [key: string]: unknown };
}

export type SamplingMessageContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

export interface ToolUseContent {
  type: "tool_use";
  id: string;
  name: string;
  input: { [key: string]: unknown };
  _meta?: { [key: string]: unknown };
}

export interface ToolResultContent {
  type: "tool_result";
  toolUseId: string;
  content: ContentBlock[];
  structuredContent?: { [key: string]: unknown };
  isError?: boolean;
  _meta?: { [key: string]: unknown };
}

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

export interface ModelHint {
  name?: string;
}

export interface ToolChoice {
  mode?: "auto" | "required" | "none";
}

export interface CreateMessageRequestParams extends TaskAugmentedRequestParams {
  messages: SamplingMessage[];
  systemPrompt?: string;
  includeContext?: "none" | "thisServer" | "allServers";
  modelPreferences?: ModelPreferences;
  maxTokens: number;
  /** @TJS-type number */
  temperature?: number;
  stopSequences?: string[];
  tools?: Tool[];
  toolChoice?: ToolChoice;
  metadata?: object;
}

export interface CreateMessageRequest extends JSONRPCRequest {
  method: "sampling/createMessage";
  params: CreateMessageRequestParams;
}

export interface CreateMessageResult extends Result, SamplingMessage {
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
    values: string[];
    total?: number;
    hasMore?: boolean;
  };
}

// Roots

export interface Root {
  /** @format uri */
  uri: string;
  name?: string;
  _meta?: { [key: string]: unknown };
}

export interface ListRootsRequest extends JSONRPCRequest {
  method: "roots/list";
  params?: RequestParams;
}

export interface ListRootsResult extends Result {
  roots: Root[];
}

export interface RootsListChangedNotification extends JSONRPCNotification {
  method: "notifications/roots/list_changed";
  params?: NotificationParams;
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

export interface ElicitRequestFormParams extends TaskAugmentedRequestParams {
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

export interface ElicitRequestURLParams extends TaskAugmentedRequestParams {
  mode: "url";
  elicitationId: string;
  message: string;
  /** @format uri */
  url: string;
}

export type ElicitRequestParams =
  ElicitRequestFormParams | ElicitRequestURLParams;

export interface ElicitRequest extends JSONRPCRequest {
  method: "elicitation/create";
  params: ElicitRequestParams;
}

export interface ElicitResult extends Result {
  action: "accept" | "decline" | "cancel";
  content?: { [key: string]: string | number | boolean | string[] };
}

export interface ElicitationCompleteNotification extends JSONRPCNotification {
  method: "notifications/elicitation/complete";
  params: {
    elicitationId: string;
  };
}

/** @internal */
export const URL_ELICITATION_REQUIRED = -32042;

// A whole error response, not only its error member.
/** @internal */
export interface URLElicitationRequiredError extends Omit<
  JSONRPCErrorResponse,
  "error"
> {
  error: Error & {
    code: typeof URL_ELICITATION_REQUIRED;
    data: {
      elicitations: ElicitRequestURLParams[];
      [key: string]: unknown;
    };
  };
}

// Tasks

export type TaskStatus =
  "working" | "input_required" | "completed" | "failed" | "cancelled";

export interface TaskMetadata {
  ttl?: number;
}

export interface RelatedTaskMetadata {
  taskId: string;
}

/** @internal */
export interface TaskAugmentedRequestParams extends RequestParams {
  task?: TaskMetadata;
}

export interface Task {
  taskId: string;
  status: TaskStatus;
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  // Always present; null means no limit.
  /** @nullable */
  ttl: number | null;
  pollInterval?: number;
}

export interface CreateTaskResult extends Result {
  task: Task;
}

export interface ListTasksRequest extends PaginatedRequest {
  method: "tasks/list";
}

export interface ListTasksResult extends PaginatedResult {
  tasks: Task[];
}

export interface GetTaskRequest extends JSONRPCRequest {
  method: "tasks/get";
  params: {
    taskId: string;
  };
}

export type GetTaskResult = Result & Task;

export interface GetTaskPayloadRequest extends JSONRPCRequest {
  method: "tasks/result";
  params: {
    taskId: string;
  };
}

export interface GetTaskPayloadResult extends Result {
  [key: string]: unknown;
}

export interface CancelTaskRequest extends JSONRPCRequest {
  method: "tasks/cancel";
  params: {
    taskId: string;
  };
}

export type CancelTaskResult = Result & Task;

export type TaskStatusNotificationParams = NotificationParams & Task;

export interface TaskStatusNotification extends JSONRPCNotification {
  method: "notifications/tasks/status";
  params: TaskStatusNotificationParams;
}

// Roles: messages by sender

/** @internal */
export type ClientRequest =
  | InitializeRequest
  | PingRequest
  | ListResourcesRequest
  | ListResourceTemplatesRequest
  | ReadResourceRequest
  | SubscribeRequest
  | UnsubscribeRequest
  | ListPromptsRequest
  | GetPromptRequest
  | ListToolsRequest
  | CallToolRequest
  | SetLevelRequest
  | CompleteRequest
  | ListTasksRequest
  | GetTaskRequest
  | GetTaskPayloadRequest
  | CancelTaskRequest;

// CreateTaskResult is in neither list of results.
/** @internal */
export type ClientResult =
  | EmptyResult
  | CreateMessageResult
  | ListRootsResult
  | ElicitResult
  | ListTasksResult
  | GetTaskResult
  | GetTaskPayloadResult
  | CancelTaskResult;

/** @internal */
export type ClientNotification =
  | InitializedNotification
  | ProgressNotification
  | CancelledNotification
  | RootsListChangedNotification
  | TaskStatusNotification;

/** @internal */
export type ServerRequest =
  | PingRequest
  | CreateMessageRequest
  | ListRootsRequest
  | ElicitRequest
  | ListTasksRequest
  | GetTaskRequest
  | GetTaskPayloadRequest
  | CancelTaskRequest;

/** @internal */
export type ServerResult =
  | EmptyResult
  | InitializeResult
  | ListResourcesResult
  | ListResourceTemplatesResult
  | ReadResourceResult
  | ListPromptsResult
  | GetPromptResult
  | ListToolsResult
  | CallToolResult
  | CompleteResult
  | ListTasksResult
  | GetTaskResult
  | GetTaskPayloadResult
  | CancelTaskResult;

/** @internal */
export type ServerNotification =
  | ProgressNotification
  | CancelledNotification
  | ResourceListChangedNotification
  | ResourceUpdatedNotification
  | PromptListChangedNotification
  | ToolListChangedNotification
  | LoggingMessageNotification
  | ElicitationCompleteNotification
  | TaskStatusNotification;
