// The messages' own types: what is inferred from a call can be named without the package that they come from.
export type * from "../authoring.js";
export { acceptedContent, inputRequired, inputResponse } from "../ask/question.js";
export type {
  InputResponsesFor,
  InputRequired,
  InputRequiredSpec,
  InputResponseView,
  UrlElicitationParams,
} from "../ask/question.js";
export type { StateKey } from "../ask/seal.js";
export type { SuspensionOptions } from "../per-request/parking.js";
export type { AuthorSchema, JsonSchemaObject, SchemaInput, SchemaOutput, SchemaPair } from "../schema/author-schema.js";
export type { JsonSchemaValidator } from "../schema/json-schema-validator.js";
export type {
  InferInput,
  InferOutput,
  StandardJsonSchema,
  StandardResult,
  StandardSchema,
} from "../schema/standard-schema.js";
export { isInsideRoots } from "../rules/roots.js";
export type { RootFolder } from "../rules/roots.js";
export { UriTemplate } from "../uri-template.js";
export type { MatchedVariables, Variables } from "../uri-template.js";
export type { InputRequestsCallback } from "./asking.js";
export type { CacheHint } from "./cache-hint.js";
export type { Change, ListKind } from "./change.js";
export type { ClientDescription, Session } from "./client-facts.js";
export type { Completer, Completers } from "./completions.js";
export type { ServerConnection } from "./connection.js";
export type { ServerContext } from "./context.js";
export { McpServer } from "./mcp-server.js";
export type { CoreMcpServerOptions, McpServerOptions } from "./mcp-server.js";
export type {
  PromptCallback,
  PromptConfig,
  PromptOutcome,
  PromptResult,
  PromptUpdate,
  RegisteredPrompt,
} from "./prompt.js";
export type { RegisteredItem } from "./registry.js";
export { ResourceTemplate } from "./resource-template.js";
export type { ListResourcesCallback } from "./resource-template.js";
export type {
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredResource,
  RegisteredResourceTemplate,
  ResourceConfig,
  ResourceMetadata,
  ResourceOutcome,
  ResourceResult,
  ResourceTemplateUpdate,
  ResourceUpdate,
} from "./resource.js";
export { sampleWithTools } from "./sample-with-tools.js";
export type { SamplingTool, SamplingToolOutcome } from "./sample-with-tools.js";
export { Server } from "./server.js";
export type { CoreServerOptions, NotificationContext, ServerHandlers, ServerOptions, StateStore } from "./server.js";
export type {
  RegisteredTool,
  ToolArguments,
  ToolCallback,
  ToolConfig,
  ToolOutcome,
  ToolResult,
  ToolUpdate,
} from "./tool.js";
