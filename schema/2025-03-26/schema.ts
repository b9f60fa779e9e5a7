/** Model Context Protocol, revision 2025-03-26: the published facts in our own layout. `../docs.json` contains the texts. */

// JSON-RPC

export const LATEST_PROTOCOL_VERSION = "2025-03-26";

export const JSONRPC_VERSION = "2.0";

export type RequestId = string | number;

export type JSONRPCMessage =
  | JSONRPCRequest
  | JSONRPCNotification
  | JSONRPCResponse
  | JSONRPCError
  | JSONRPCBatchRequest
  | JSONRPCBatchResponse;

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

// Batches exist in this revision only.
export type JSONRPCBatchRequest = (JSONRPCRequest | JSONRPCNotification)[];

export type JSONRPCBatchResponse = (JSONRPCResponse | JSONRPCError)[];

export const PARSE_ERROR = -32700;

export const INVALID_REQUEST = -32600;

export const METHOD_NOT_FOUND = -32601;

export const INVALID_PARAMS = -32602;

export const INTERNAL_ERROR = -32603;

// Parameters and results shared by all messages

export interface Request {
  method: string;
  params?: {
    _meta?: {
      progressToken?: ProgressToken;
    };
    [key: string]: unknown;
  };
}

export interface Result {
  _meta?: { [key: string]: unknown };
  [key: string]: unknown;
}

export type EmptyResult = Result;

export interface Notification {
  method: string;
  params?: {
    _meta?: { [key: string]: unknown };
    [key: string]: unknown;
  };
}

// Opening

export interface Implementation {
  name: string;
  version: string;
}

export interface ClientCapabilities {
  roots?: {
    listChanged?: boolean;
  };
  sampling?: object;
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

export interface PaginatedRequest extends Request {
  params?: {
    cursor?: Cursor;
  };
}

export interface PaginatedResult extends Result {
  nextCursor?: Cursor;
}

// Resources

export interface Resource {
  /** @format uri */
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Annotations;
}

export interface ResourceTemplate {
  /** @format uri-template */
  uriTemplate: string;
  name: string;
  description?: string;
  mimeType?: string;
  annotations?: Annotations;
}

export interface ResourceContents {
  /** @format uri */
  uri: string;
  mimeType?: string;
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

export interface Prompt {
  name: string;
  description?: string;
  arguments?: PromptArgument[];
}

export interface PromptArgument {
  name: string;
  description?: string;
  required?: boolean;
}

export interface PromptMessage {
  role: Role;
  content: TextContent | ImageContent | AudioContent | EmbeddedResource;
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

export interface Tool {
  name: string;
  description?: string;
  inputSchema: {
    type: "object";
    properties?: { [key: string]: object };
    required?: string[];
  };
  annotations?: ToolAnnotations;
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
  content: (TextContent | ImageContent | AudioContent | EmbeddedResource)[];
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
}

export interface TextContent {
  type: "text";
  text: string;
  annotations?: Annotations;
}

export interface ImageContent {
  type: "image";
  /** @format byte */
  data: string;
  mimeType: string;
  annotations?: Annotations;
}

export interface AudioContent {
  type: "audio";
  /** @format byte */
  data: string;
  mimeType: string;
  annotations?: Annotations;
}

export interface EmbeddedResource {
  type: "resource";
  resource: TextResourceContents | BlobResourceContents;
  annotations?: Annotations;
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

export interface PromptReference {
  type: "ref/prompt";
  name: string;
}

export interface ResourceReference {
  type: "ref/resource";
  // Despite its name, the member contains a URI template (or a plain URI).
  /** @format uri-template */
  uri: string;
}

export interface CompleteRequest extends Request {
  method: "completion/complete";
  params: {
    ref: PromptReference | ResourceReference;
    argument: {
      name: string;
      value: string;
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

// Roles: messages by sender

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

export type ClientResult = EmptyResult | CreateMessageResult | ListRootsResult;

export type ClientNotification =
  | InitializedNotification
  | ProgressNotification
  | CancelledNotification
  | RootsListChangedNotification;

export type ServerRequest =
  PingRequest | CreateMessageRequest | ListRootsRequest;

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

export type ServerNotification =
  | ProgressNotification
  | CancelledNotification
  | ResourceListChangedNotification
  | ResourceUpdatedNotification
  | PromptListChangedNotification
  | ToolListChangedNotification
  | LoggingMessageNotification;
