/** Model Context Protocol, revision 2025-06-18: the published facts in our own layout. `../docs.json` contains the texts. */

// JSON-RPC

/** @internal */
export const LATEST_PROTOCOL_VERSION = "2025-06-18";

/** @internal */
export const JSONRPC_VERSION = "2.0";

export type RequestId = string | number;

export type JSONRPCMessage =
  JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError;

export interface JSONRPCRequest extends Request {
  jsonrpc: typeof JSONRPC_VERSION;
  id: RequestId;
}

export interface JSONRPCNotification extends Notification {
  jsonrpc: typeof JSONRPC_VERSION;
}

export interface JSONRPCResponse {
  jsonrpc: typeof JSONRPC_VERSION;
  id: RequestId;
  result: Result;
}

// Stricter than plain JSON-RPC: the id is required and never null.
export interface JSONRPCError {
  jsonrpc: typeof JSONRPC_VERSION;
  id: RequestId;
  error: {
    code: number;
    message: string;
    data?: unknown;
  };
}

export const PARSE_ERROR = -32700;

export const INVALID_REQUEST = -32600;

export const METHOD_NOT_FOUND = -32601;

export const INVALID_PARAMS = -32602;

export const INTERNAL_ERROR = -32603;

// Parameters and results shared by all messages

/** @internal */
export interface Request {
  method: string;
  params?: {
    _meta?: {
      progressToken?: ProgressToken;
      [key: string]: unknown;
    };
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
  params?: {
    _meta?: { [key: string]: unknown };
    [key: string]: unknown;
  };
}

/** @internal */
export interface BaseMetadata {
  name: string;
  title?: string;
}

// Opening

export interface Implementation extends BaseMetadata {
  version: string;
}

export interface ClientCapabilities {
  roots?: {
    listChanged?: boolean;
  };
  sampling?: object;
  elicitation?: object;
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
  experimental?: { [key: string]: object };
}

export interface InitializeRequest extends Request {
  method: "initialize";
  params: {
    protocolVersion: string;
    clientInfo: Implementation;
    capabilities: ClientCapabilities;
  };
}

export interface InitializeResult extends Result {
  protocolVersion: string;
  serverInfo: Implementation;
  capabilities: ServerCapabilities;
  instructions?: string;
}

export interface InitializedNotification extends Notification {
  method: "notifications/initialized";
}

// Utilities: ping, progress, cancellation, pagination

export interface PingRequest extends Request {
  method: "ping";
}

export type ProgressToken = string | number;

export interface ProgressNotification extends Notification {
  method: "notifications/progress";
  params: {
    progressToken: ProgressToken;
    /** @TJS-type number */
    progress: number;
    /** @TJS-type number */
    total?: number;
    message?: string;
  };
}

export interface CancelledNotification extends Notification {
  method: "notifications/cancelled";
  params: {
    requestId: RequestId;
    reason?: string;
  };
}

export type Cursor = string;

/** @internal */
export interface PaginatedRequest extends Request {
  params?: {
    cursor?: Cursor;
  };
}

/** @internal */
export interface PaginatedResult extends Result {
  nextCursor?: Cursor;
}

// Resources

export interface Resource extends BaseMetadata {
  /** @format uri */
  uri: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Annotations;
  _meta?: { [key: string]: unknown };
}

export interface ResourceTemplate extends BaseMetadata {
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

export interface ReadResourceRequest extends Request {
  method: "resources/read";
  params: {
    /** @format uri */
    uri: string;
  };
}

export interface ReadResourceResult extends Result {
  contents: (TextResourceContents | BlobResourceContents)[];
}

export interface SubscribeRequest extends Request {
  method: "resources/subscribe";
  params: {
    /** @format uri */
    uri: string;
  };
}

export interface UnsubscribeRequest extends Request {
  method: "resources/unsubscribe";
  params: {
    /** @format uri */
    uri: string;
  };
}

export interface ResourceListChangedNotification extends Notification {
  method: "notifications/resources/list_changed";
}

export interface ResourceUpdatedNotification extends Notification {
  method: "notifications/resources/updated";
  params: {
    /** @format uri */
    uri: string;
  };
}

// Prompts

export interface Prompt extends BaseMetadata {
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

// Prompt arguments are strings only; tool arguments are any JSON.
export interface GetPromptRequest extends Request {
  method: "prompts/get";
  params: {
    name: string;
    arguments?: { [key: string]: string };
  };
}

export interface GetPromptResult extends Result {
  description?: string;
  messages: PromptMessage[];
}

export interface PromptListChangedNotification extends Notification {
  method: "notifications/prompts/list_changed";
}

// Tools

export interface Tool extends BaseMetadata {
  description?: string;
  inputSchema: {
    type: "object";
    properties?: { [key: string]: object };
    required?: string[];
  };
  outputSchema?: {
    type: "object";
    properties?: { [key: string]: object };
    required?: string[];
  };
  annotations?: ToolAnnotations;
  _meta?: { [key: string]: unknown };
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

export interface ListToolsResult extends PaginatedResult {
  tools: Tool[];
}

export interface CallToolRequest extends Request {
  method: "tools/call";
  params: {
    name: string;
    arguments?: { [key: string]: unknown };
  };
}

export interface CallToolResult extends Result {
  content: ContentBlock[];
  structuredContent?: { [key: string]: unknown };
  isError?: boolean;
}

export interface ToolListChangedNotification extends Notification {
  method: "notifications/tools/list_changed";
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

export interface SetLevelRequest extends Request {
  method: "logging/setLevel";
  params: {
    level: LoggingLevel;
  };
}

export interface LoggingMessageNotification extends Notification {
  method: "notifications/message";
  params: {
    level: LoggingLevel;
    logger?: string;
    data: unknown;
  };
}

// Sampling

export interface SamplingMessage {
  role: Role;
  content: TextContent | ImageContent | AudioContent;
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

export interface CreateMessageRequest extends Request {
  method: "sampling/createMessage";
  params: {
    messages: SamplingMessage[];
    systemPrompt?: string;
    includeContext?: "none" | "thisServer" | "allServers";
    modelPreferences?: ModelPreferences;
    maxTokens: number;
    /** @TJS-type number */
    temperature?: number;
    stopSequences?: string[];
    metadata?: object;
  };
}

export interface CreateMessageResult extends Result, SamplingMessage {
  model: string;
  // Open: any string is valid; the schema names three.
  stopReason?: "endTurn" | "stopSequence" | "maxTokens" | string;
}

// Completion

export interface PromptReference extends BaseMetadata {
  type: "ref/prompt";
}

export interface ResourceTemplateReference {
  type: "ref/resource";
  // Despite its name, the member contains a URI template (or a plain URI).
  /** @format uri-template */
  uri: string;
}

export interface CompleteRequest extends Request {
  method: "completion/complete";
  params: {
    ref: PromptReference | ResourceTemplateReference;
    argument: {
      name: string;
      value: string;
    };
    context?: {
      arguments?: { [key: string]: string };
    };
  };
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

export interface ListRootsRequest extends Request {
  method: "roots/list";
}

export interface ListRootsResult extends Result {
  roots: Root[];
}

export interface RootsListChangedNotification extends Notification {
  method: "notifications/roots/list_changed";
}

// Elicitation

export type PrimitiveSchemaDefinition =
  StringSchema | NumberSchema | BooleanSchema | EnumSchema;

export interface StringSchema {
  type: "string";
  title?: string;
  description?: string;
  format?: "email" | "uri" | "date" | "date-time";
  minLength?: number;
  maxLength?: number;
}

export interface NumberSchema {
  type: "number" | "integer";
  title?: string;
  description?: string;
  /** @TJS-type number */
  minimum?: number;
  /** @TJS-type number */
  maximum?: number;
}

export interface BooleanSchema {
  type: "boolean";
  title?: string;
  description?: string;
  default?: boolean;
}

// Same "type" as StringSchema: only the member "enum" distinguishes them.
export interface EnumSchema {
  type: "string";
  title?: string;
  description?: string;
  enum: string[];
  enumNames?: string[];
}

export interface ElicitRequest extends Request {
  method: "elicitation/create";
  params: {
    message: string;
    requestedSchema: {
      type: "object";
      properties: { [key: string]: PrimitiveSchemaDefinition };
      required?: string[];
    };
  };
}

export interface ElicitResult extends Result {
  action: "accept" | "decline" | "cancel";
  content?: { [key: string]: string | number | boolean };
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
  | CompleteRequest;

/** @internal */
export type ClientResult =
  EmptyResult | CreateMessageResult | ListRootsResult | ElicitResult;

/** @internal */
export type ClientNotification =
  | InitializedNotification
  | ProgressNotification
  | CancelledNotification
  | RootsListChangedNotification;

/** @internal */
export type ServerRequest =
  PingRequest | CreateMessageRequest | ListRootsRequest | ElicitRequest;

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
  | CompleteResult;

/** @internal */
export type ServerNotification =
  | ProgressNotification
  | CancelledNotification
  | ResourceListChangedNotification
  | ResourceUpdatedNotification
  | PromptListChangedNotification
  | ToolListChangedNotification
  | LoggingMessageNotification;
