export * from "./types/index.js";
export {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnsupportedProtocolVersionError,
  UrlElicitationRequiredError,
} from "./shared/errors.js";
export type { SdkHttpErrorData } from "./shared/errors.js";
export type { BaseContext, ClientContext, RequestStateAccessor, ServerContext } from "./shared/contexts.js";
export { createFetchWithInit } from "./shared/transport.js";
export type { FetchLike, Transport, TransportSendOptions } from "./shared/transport.js";
export { InMemoryTransport } from "./shared/in-memory.js";
export { UriTemplate } from "./shared/uri-template.js";
export type { Variables } from "./shared/uri-template.js";
export { acceptedContent, inputRequired, inputResponse } from "./shared/input-required.js";
export type { ElicitInputParams, InputRequiredSpec, InputResponseView } from "./shared/input-required.js";
export { Protocol } from "./shared/protocol.js";
export type { RequestHandlerSchemas } from "./shared/protocol.js";
export { DEFAULT_REQUEST_TIMEOUT_MSEC } from "./shared/request-options.js";
export type {
  NotificationOptions,
  ProgressCallback,
  ProtocolOptions,
  RequestOptions,
} from "./shared/request-options.js";
export type {
  JsonSchemaType,
  JsonSchemaValidator,
  JsonSchemaValidatorResult,
  jsonSchemaValidator,
} from "./shared/json-schema-validator.js";
export type { StandardSchemaV1, StandardSchemaV1Sync, StandardSchemaWithJSON } from "./shared/standard-schema.js";
export { completable, isCompletable } from "./server/completable.js";
export type { CompletableSchema, CompleteCallback } from "./server/completable.js";
export { McpServer } from "./server/mcp-server.js";
export type { McpServerOptions } from "./server/mcp-server.js";
export type { McpRequestContext, McpServerFactory } from "./server/mcp-server-factory.js";
export type {
  AnyToolHandler,
  BaseToolCallback,
  PromptCallback,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredPrompt,
  RegisteredResource,
  RegisteredResourceTemplate,
  RegisteredTool,
  ResourceMetadata,
  ToolCallback,
} from "./server/registered.js";
export { ResourceTemplate } from "./server/resource-template.js";
export type { CompleteResourceTemplateCallback, ListResourcesCallback } from "./server/resource-template.js";
export { requireScopes } from "./server/scope-challenge.js";
export type { ScopeChallenge, ScopeChallengeHandler } from "./server/scope-challenge.js";
export { Server } from "./server/server.js";
export type { CacheHint, CacheScope, ServerOptions } from "./server/server-options.js";
export { createMcpHandler } from "./server/create-mcp-handler.js";
export type {
  CreateMcpHandlerOptions,
  McpHandlerRequestOptions,
  McpHttpHandler,
  PerRequestResponseMode,
} from "./server/create-mcp-handler.js";
export { isLegacyRequest, legacyStatelessFallback } from "./server/legacy-requests.js";
export type {
  IsLegacyRequestOptions,
  LegacyHttpHandler,
  LegacyStatelessFallbackOptions,
} from "./server/legacy-requests.js";
export { createRequestStateCodec } from "./server/request-state-codec.js";
export type { RequestStateCodec, RequestStateCodecOptions } from "./server/request-state-codec.js";
export { InMemoryServerEventBus } from "./server/server-event-bus.js";
export type { ServerEvent, ServerEventBus, ServerNotifier } from "./server/server-event-bus.js";
export { OAuthError, OAuthErrorCode } from "./shared/oauth-error.js";
export type * from "./shared/oauth-types.js";
export { isSpecType, preloadSchemas, specTypeSchemas } from "./shared/spec-types.js";
export type { SpecTypeName, SpecTypes } from "./shared/spec-types.js";
export { bearerAuthChallengeResponse, requireBearerAuth, verifyBearerToken } from "./shared/bearer-auth.js";
export type { BearerAuthOptions, OAuthTokenVerifier, VerifyBearerTokenOptions } from "./shared/bearer-auth.js";
export {
  buildOAuthProtectedResourceMetadata,
  getOAuthProtectedResourceMetadataUrl,
  oauthMetadataResponse,
} from "./shared/resource-metadata.js";
export type { AuthMetadataOptions } from "./shared/resource-metadata.js";
export {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  validateHostHeader,
  validateOriginHeader,
} from "./shared/host-guards.js";
export type { HostHeaderValidationResult, OriginValidationResult } from "./shared/host-guards.js";
export { DEFAULT_MAX_REQUEST_BODY_SIZE, isJsonContentType, readRequestBody } from "./shared/request-body.js";
export type { EventId, EventStore, StreamId } from "./server/event-store.js";
export { WebStandardStreamableHTTPServerTransport } from "./server/streamable-http-transport.js";
export type {
  HandleRequestOptions,
  WebStandardStreamableHTTPServerTransportOptions,
} from "./server/streamable-http-transport.js";
export { fromJsonSchema } from "./shared/from-json-schema.js";
export { classifyInboundRequest } from "./server/classify-inbound-request.js";
export type {
  InboundClassificationOutcome,
  InboundHttpRequest,
  InboundLadderRejection,
  InboundLegacyRoute,
  InboundLegacyRouteReason,
  InboundModernRoute,
  InboundValidationRung,
} from "./server/classify-inbound-request.js";
export {
  deserializeMessage,
  ReadBuffer,
  serializeMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
} from "./shared/stdio-framing.js";
export { checkResourceAllowed, resourceUrlFromServerUrl } from "./shared/resource-urls.js";
export { PerRequestHTTPServerTransport } from "./server/per-request-transport.js";
export type { PerRequestHTTPServerTransportOptions, PerRequestMessageExtra } from "./server/per-request-transport.js";

/** `legacy`: revisions with a handshake; `modern`: those whose requests describe their client. */
export type ProtocolEra = "legacy" | "modern";
