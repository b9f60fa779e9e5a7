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
export { fromJsonSchema } from "./shared/from-json-schema.js";
export { InMemoryTransport } from "./shared/in-memory.js";
export type {
  JsonSchemaType,
  JsonSchemaValidator,
  JsonSchemaValidatorResult,
  jsonSchemaValidator,
} from "./shared/json-schema-validator.js";
export { OAuthError, OAuthErrorCode } from "./shared/oauth-error.js";
export type * from "./shared/oauth-types.js";
export {
  deserializeMessage,
  ReadBuffer,
  serializeMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
} from "./shared/stdio-framing.js";
export { isSpecType, preloadSchemas, specTypeSchemas } from "./shared/spec-types.js";
export type { SpecTypeName, SpecTypes } from "./shared/spec-types.js";
export { Protocol } from "./shared/protocol.js";
export type { RequestHandlerSchemas } from "./shared/protocol.js";
export { isJsonContentType } from "./shared/request-body.js";
export { DEFAULT_REQUEST_TIMEOUT_MSEC } from "./shared/request-options.js";
export type {
  NotificationOptions,
  ProgressCallback,
  ProtocolOptions,
  RequestOptions,
} from "./shared/request-options.js";
export type { StandardSchemaV1, StandardSchemaV1Sync, StandardSchemaWithJSON } from "./shared/standard-schema.js";
export { createFetchWithInit } from "./shared/transport.js";
export type { FetchLike, Transport, TransportSendOptions } from "./shared/transport.js";
export { UriTemplate } from "./shared/uri-template.js";
export type { Variables } from "./shared/uri-template.js";
export { auth } from "./client/auth/auth.js";
export type { AuthOptions, AuthResult } from "./client/auth/auth.js";
export {
  computeScopeUnion,
  isStrictScopeSuperset,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from "./client/auth/authorization-request.js";
export { extractResourceMetadataUrl, extractWWWAuthenticateParams } from "./client/auth/challenge.js";
export { selectClientAuthMethod } from "./client/auth/client-authentication.js";
export type { ClientAuthMethod } from "./client/auth/client-authentication.js";
export {
  ClientCredentialsProvider,
  PrivateKeyJwtProvider,
  StaticPrivateKeyJwtProvider,
} from "./client/auth/credentials-providers.js";
export type {
  ClientCredentialsProviderOptions,
  PrivateKeyJwtProviderOptions,
  StaticPrivateKeyJwtProviderOptions,
} from "./client/auth/credentials-providers.js";
export {
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  exchangeJwtAuthGrant,
  requestJwtAuthorizationGrant,
} from "./client/auth/cross-app-access.js";
export type {
  AssertionCallback,
  CrossAppAccessContext,
  CrossAppAccessProviderOptions,
  DiscoverAndRequestJwtAuthGrantOptions,
  JwtAuthGrantResult,
  RequestJwtAuthGrantOptions,
} from "./client/auth/cross-app-access.js";
export {
  buildDiscoveryUrls,
  discoverAuthorizationServerMetadata,
  discoverOAuthMetadata,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  selectResourceURL,
} from "./client/auth/discovery.js";
export {
  accessTokenHash,
  DPOP_SUPPORTED_ALGS,
  DpopSession,
  generateDpopKeyPair,
  isDpopNonceChallenge,
} from "./client/auth/dpop.js";
export type { DpopAlg, DpopKeyPair, DpopProofRequest, GenerateDpopKeyPairOptions } from "./client/auth/dpop.js";
export {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  InsufficientScopeError,
  IssuerMismatchError,
  OAuthClientFlowError,
  RegistrationRejectedError,
  UnauthorizedError,
} from "./client/auth/errors.js";
export { createPrivateKeyJwtAuth } from "./client/auth/private-key-jwt.js";
export type {
  AddClientAuthentication,
  AuthProvider,
  OAuthClientInformationContext,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthServerInfo,
} from "./client/auth/provider.js";
export {
  isHttpsUrl,
  registerClient,
  resolveClientMetadata,
  validateClientMetadataUrl,
} from "./client/auth/registration.js";
export { checkResourceAllowed, resourceUrlFromServerUrl } from "./shared/resource-urls.js";
export {
  assertSecureTokenEndpoint,
  exchangeAuthorization,
  fetchToken,
  parseErrorResponse,
  prepareAuthorizationCodeRequest,
  refreshAuthorization,
} from "./client/auth/token-requests.js";
export { Client } from "./client/client.js";
export {
  applyMiddlewares,
  createMiddleware,
  withDpop,
  withDpopFromProvider,
  withLogging,
  withOAuth,
} from "./client/middleware.js";
export type {
  DpopSessionSource,
  DpopTokenSource,
  LoggingOptions,
  Middleware,
  RequestLogger,
} from "./client/middleware.js";
export { withInputRequired } from "./client/with-input-required.js";
export { getSupportedElicitationModes } from "./client/options.js";
export type {
  CacheableRequestOptions,
  CallToolRequestOptions,
  ClientOptions,
  ConnectOptions,
  InputRequiredOptions,
  McpSubscription,
  PriorDiscovery,
  ProtocolEra,
  VersionNegotiationMode,
  VersionNegotiationOptions,
  VersionNegotiationProbeOptions,
} from "./client/options.js";
export { InMemoryResponseCacheStore, MAX_CACHE_TTL_MS } from "./client/response-cache.js";
export type {
  CacheEntry,
  CacheKey,
  CacheMode,
  CacheScope,
  InMemoryResponseCacheStoreOptions,
  MaybePromise,
  ResponseCacheStore,
} from "./client/response-cache.js";
export { SSEClientTransport, SseError } from "./client/sse.js";
export type { SSEClientTransportOptions } from "./client/sse.js";
export { StreamableHTTPClientTransport } from "./client/streamable-http.js";
export type {
  ReconnectionScheduler,
  StartSSEOptions,
  StreamableHTTPClientTransportOptions,
  StreamableHTTPReconnectionOptions,
} from "./client/streamable-http.js";
