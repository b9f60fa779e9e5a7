// Includes the message types, so that the inferred type of a call can be named without importing another package.
export type * from "../authoring.js";
export type { Extension, ExtensionTypes, MessageTypes, Profile, Side } from "@mcpwright/protocol/contract";
export type { MethodHandler, MethodHandlers } from "../connection/dispatch-table.js";
export type { Explanation, MessageIssue } from "../connection/explain-issues.js";
export type { ParamsInput } from "../connection/params-input.js";
export { selectByAnnotations } from "../rules/annotations.js";
export type { AnnotatedItem, AnnotationFilter } from "../rules/annotations.js";
export { getDisplayName } from "../rules/display-name.js";
export type { NamedItem } from "../rules/display-name.js";
export { pickIcon } from "../rules/icons.js";
export type { IconPreferences, IconSource } from "../rules/icons.js";
export { reviewUrl } from "../rules/url-review.js";
export type { UrlReview, UrlWarning } from "../rules/url-review.js";
export { chooseModel } from "../rules/model-preferences.js";
export type { Model, ModelChoicePreferences } from "../rules/model-preferences.js";
export type { JsonSchemaValidator } from "../schema/json-schema-validator.js";
export type { CallToolOptions, Task } from "./call-tool-options.js";
export type { ChangeListener, ResourceUpdateListener } from "./change-subscriptions.js";
export { Client } from "./client.js";
export { completionParams, debounceCompletions } from "./completion-requests.js";
export type { DebounceOptions } from "./completion-requests.js";
export type {
  ClientOptions,
  CoreClientOptions,
  ServerNotificationMap,
  ServerRequestMap,
  RestartOptions,
} from "./client-options.js";
export { watchChanges } from "./watch-changes.js";
export type { ChangeWatch, WatchedChanges } from "./watch-changes.js";
export type { Change, ListKind } from "../connection/change.js";
export type { NegotiationResult } from "./negotiation-result.js";
export type {
  ClientExtension,
  ClientHost,
  ClientInternals,
  HandlerInterceptor,
  RequestInterceptor,
} from "./client-extension.js";
export type { ClientConnection } from "./client-connection.js";
export type { ConnectOptions, Era, EraMemory } from "./connect-options.js";
export type { ServerRequestContext } from "./client-request-handlers.js";
export type { PageParams } from "./fetch-pages.js";
export type { AllowInputRequiredOptions, SendOptions } from "./send-options.js";
export { serverSettings } from "./server-settings.js";
export type { KnownNotifications, KnownRequests, RequestArguments, RequestOutcome } from "./known-messages.js";
export type {
  AddedResults,
  AnyExtensions,
  AnyRevisions,
  CallOutcome,
  HasOwnMessages,
  KnownMessages,
} from "../connection/known-messages.js";
export { isInputRequiredResult } from "./input-required-result.js";
export { RemoteResourceNotFoundError } from "./resource-not-found.js";
export { RemoteUrlElicitationRequiredError } from "./handshake/url-elicitation-required.js";
export type { UrlElicitation } from "../jsonrpc/errors.js";
export { ResponseCache } from "./response-cache.js";
export type { CacheHints, CacheKey, ResponseCacheOptions } from "./response-cache.js";
export { UriTemplate } from "../uri-template.js";
export type { MatchedVariables, Variables } from "../uri-template.js";
