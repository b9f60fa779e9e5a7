// The message types, so that types inferred from calls can be named without the package that declares them.
export type * from "../authoring.js";
export type { Extension, ExtensionTypes, MessageTypes, Profile, Side } from "@mcpwright/protocol/contract";
export { acceptedContent, inputRequired, inputResponse } from "../input-requests/input-required.js";
export type {
  InputResponseKey,
  InputResponsesFor,
  InputResponseTo,
  InputRequired,
  InputRequiredFactory,
  InputRequiredSpec,
  InputResponseView,
  UrlElicitationParams,
} from "../input-requests/input-required.js";
export type { StateKey } from "../request-state/state-sealer.js";
export type {
  AuthorSchema,
  JsonSchemaObject,
  OptionalSchema,
  SchemaInput,
  SchemaOutput,
  SchemaPair,
  SchemaShape,
  UnwrappedShapeError,
} from "../schema/author-schema.js";
export type { JsonSchemaValidator } from "../schema/json-schema-validator.js";
export type {
  InferInput,
  InferOutput,
  StandardIssue,
  StandardJsonSchema,
  StandardJsonSchemaOptions,
  StandardProps,
  StandardResult,
  StandardSchema,
  StandardTyped,
} from "../schema/standard-schema.js";
export { isInsideRoots } from "../rules/roots.js";
export type { RootFolder } from "../rules/roots.js";
export { UriTemplate } from "../uri-template.js";
export type { MatchedVariables, Variables } from "../uri-template.js";
export type { InputRequestsCallback } from "./input-requests-callback.js";
export type { CacheHint } from "./cache-hint.js";
export type { Change, ListKind } from "../connection/change.js";
export type { MessageIssue } from "../connection/explain-issues.js";
export { clientSettings } from "./client-settings.js";
export type { ClientDescription, Session } from "./client-description.js";
export type { Completer, Completers } from "./completions.js";
export type { Notify, ServerConnection, ServerContext } from "./contracts.js";
export type { GrantedStream, GrantStream, RegisteredToolFacts, RunTool, ServerHooks } from "./extension-hooks.js";
export { McpServer } from "./mcp-server.js";
export type { CoreMcpServerOptions, McpServerOptions } from "./mcp-server-options.js";
export type {
  PromptCallback,
  PromptConfig,
  PromptOutcome,
  PromptResult,
  PromptUpdate,
  RegisteredPrompt,
} from "./prompt-config.js";
export { rankCompletions } from "./rank-completions.js";
export type { RegisteredItem } from "./registry.js";
export { ResourceTemplate } from "./resource-template.js";
export type { ListedResources, ListResourcesCallback } from "./resource-template.js";
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
} from "./resource-config.js";
export { sessionKey } from "./session-key.js";
export type { AnySessionKey, SessionKey, SessionStore } from "./session-store.js";
export { sampleWithTools } from "./sample-with-tools.js";
export type { SamplingTool, SamplingToolLimits, SamplingToolOutcome } from "./sample-with-tools.js";
export { Server } from "./server.js";
export { wrapOutputs } from "./wrap-outputs.js";
export { eraOf } from "./era-of.js";
export { serverPerClient } from "./server-per-client.js";
export type { MakeServer, PerClientServer, ServedClient, ServerSource } from "./server-per-client.js";
export type { ServerExtension, ServerHost } from "./server-extension.js";
export type { HandlerResult, KnownHandlers, NotificationContext, ServerHandlers } from "./server-handlers.js";
export type {
  AddedResults,
  AnyExtensions,
  AnyRevisions,
  HasOwnMessages,
  KnownMessages,
} from "../connection/known-messages.js";
export type { Logger } from "../connection/logger.js";
export type { CoreServerOptions, RequestLimits, ServerOptions } from "./server-options.js";
export type { SuspensionOptions } from "./suspension-options.js";
export type {
  RegisteredTool,
  ToolArguments,
  ToolCallback,
  ToolCallbackResult,
  ToolConfig,
  ToolOutcome,
  ToolResult,
  ToolUpdate,
} from "./tool-config.js";
export type { MethodHandler, MethodHandlers } from "../connection/dispatch-table.js";
export type { ParamsInput } from "../connection/params-input.js";
