/**
 * Types by which the rules recognize values of the official SDK: they have only the members that rules rewrite, and stand in for the
 * installed packages, which need not be there. Members and classes of 1.x and 2.x share one declaration.
 */
export const officialTypes = `declare module "official" {
  interface HandlerContext {
    mcpReq: McpReq; http?: HttpContext; sessionId?: string; signal: any; requestId: any; _meta?: any; authInfo?: AuthInfo;
    requestInfo?: any; sendNotification(message: any): Promise<void>; sendRequest(message: any, schema?: any, options?: any): Promise<any>;
    closeSSEStream?(): void; closeStandaloneSSEStream?(): void; taskId?: any; taskStore?: any; taskRequestedTtl?: any;
  }
  interface McpReq {
    id: any; method: any; _meta?: any; signal: any; inputResponses?: any; requestState<T = any>(): T | undefined;
    notify(message: any): Promise<void>; log(level: any, data: any, logger?: any): Promise<void>;
    elicitInput(params: any, options?: any): Promise<any>; requestSampling(params: any, options?: any): Promise<any>;
    send(message: any, ...rest: any[]): Promise<any>;
  }
  interface HttpContext { req?: any; authInfo?: AuthInfo; closeSSE?(): void; closeStandaloneSSE?(): void }
  export type ServerContext = HandlerContext;
  export type RequestHandlerExtra<Requests = any, Notifications = any> = HandlerContext;
  type Callback = (args: any, context: HandlerContext) => any;
  export class Server {
    constructor(info: any, options?: any);
    onerror: any; onclose: any; oninitialized: any; fallbackRequestHandler: any; transport: any;
    setRequestHandler(method: any, handler: (request: any, context: HandlerContext) => any): void;
    setRequestHandler(method: string, schemas: any, handler: (params: any, context: HandlerContext) => any): void;
    setNotificationHandler(method: any, handler: (notification: any) => any): void;
    setNotificationHandler(method: string, schemas: any, handler: (params: any) => any): void;
    handle(handlers: Record<string, Callback>): void;
    connect(transport: any): Promise<void>; close(): Promise<void>; registerCapabilities(capabilities: any): void;
    notification(message: any, options?: any): Promise<void>; request(message: any, ...rest: any[]): Promise<any>;
    sendLoggingMessage(params: any, sessionId?: any): Promise<void>; sendResourceUpdated(params: any): Promise<void>;
    sendToolListChanged(): Promise<void>; sendResourceListChanged(): Promise<void>; sendPromptListChanged(): Promise<void>;
    getClientCapabilities(): any; getClientVersion(): any; getNegotiatedProtocolVersion(): any; ping(): Promise<any>;
    createMessage(params: any, options?: any): Promise<any>; elicitInput(params: any, options?: any): Promise<any>;
    listRoots(params?: any, options?: any): Promise<any>;
    createElicitationCompletionNotifier(id: any, options?: any): () => Promise<void>;
  }
  export class McpServer {
    constructor(info: any, options?: any);
    server: Server; experimental: any;
    registerTool(name: any, config: { inputSchema: object; [member: string]: any }, callback: Callback): RegisteredItem;
    registerTool(name: any, config: { inputSchema?: undefined; [member: string]: any }, callback: (context: HandlerContext) => any): RegisteredItem;
    registerPrompt(name: any, config: { argsSchema: object; [member: string]: any }, callback: Callback): RegisteredItem;
    registerPrompt(name: any, config: { argsSchema?: undefined; [member: string]: any }, callback: (context: HandlerContext) => any): RegisteredItem;
    registerResource(name: any, template: ResourceTemplate, config: any, callback: TemplateCallback): RegisteredItem;
    registerResource(name: any, uri: string, config: any, callback: (uri: any, context: HandlerContext) => any): RegisteredItem;
    tool(name: string, shape: object, annotations: object, callback: Callback): RegisteredItem;
    tool(name: string, description: string, shape: object, annotations: object, callback: Callback): RegisteredItem;
    tool(name: string, callback: (context: HandlerContext) => any): RegisteredItem;
    tool(name: string, shape: object, callback: Callback): RegisteredItem;
    tool(name: string, description: string, callback: (context: HandlerContext) => any): RegisteredItem;
    tool(name: string, description: string, shape: object, callback: Callback): RegisteredItem;
    prompt(name: string, callback: (context: HandlerContext) => any): RegisteredItem;
    prompt(name: string, shape: object, callback: Callback): RegisteredItem;
    prompt(name: string, description: string, callback: (context: HandlerContext) => any): RegisteredItem;
    prompt(name: string, description: string, shape: object, callback: Callback): RegisteredItem;
    resource(name: string, template: ResourceTemplate, callback: TemplateCallback): RegisteredItem;
    resource(name: string, uri: string, callback: (uri: any, context: HandlerContext) => any): RegisteredItem;
    resource(name: string, template: ResourceTemplate, metadata: object, callback: TemplateCallback): RegisteredItem;
    resource(name: string, uri: string, metadata: object, callback: (uri: any, context: HandlerContext) => any): RegisteredItem;
    connect(transport: any): Promise<void>; close(): Promise<void>; isConnected(): boolean;
    sendLoggingMessage(params: any, sessionId?: any): Promise<void>; sendResourceUpdated(params: any): void;
    sendToolListChanged(): void; sendResourceListChanged(): void; sendPromptListChanged(): void;
  }
  type TemplateCallback = (uri: any, variables: any, context: HandlerContext) => any;
  export class ResourceTemplate {
    constructor(template: any, callbacks: { list?: (context: HandlerContext) => any; [member: string]: any });
  }
  export type RegisteredTool = RegisteredItem;
  export type RegisteredPrompt = RegisteredItem;
  export type RegisteredResource = RegisteredItem;
  export type RegisteredResourceTemplate = RegisteredItem;
  export interface RegisteredItem { update(changes: any): void; enable(): void; disable(): void; remove(): void }
  export interface ClientOptions { [member: string]: any }
  export class Client {
    constructor(info: any, options?: any);
    onerror: any; onclose: any; fallbackNotificationHandler: any; transport: any;
    setRequestHandler(method: any, handler: (request: any, context: HandlerContext) => any): void;
    setRequestHandler(method: string, schemas: any, handler: (params: any, context: HandlerContext) => any): void;
    setNotificationHandler(method: any, handler: (notification: any) => any): void;
    setNotificationHandler(method: string, schemas: any, handler: (params: any) => any): void;
    connect(transport: any, options?: any): Promise<void>; close(): Promise<void>; registerCapabilities(capabilities: any): void;
    request(message: any, ...rest: any[]): Promise<any>; notification(message: any, options?: any): Promise<void>;
    callTool(params: any, schema?: any, options?: any): Promise<any>; listTools(params?: any, options?: any): Promise<any>;
    listResources(params?: any, options?: any): Promise<any>; listResourceTemplates(params?: any, options?: any): Promise<any>;
    listPrompts(params?: any, options?: any): Promise<any>; getPrompt(params: any, options?: any): Promise<any>;
    readResource(params: any, options?: any): Promise<any>; complete(params: any, options?: any): Promise<any>;
    subscribeResource(params: any, options?: any): Promise<any>; unsubscribeResource(params: any, options?: any): Promise<any>;
    setLoggingLevel(level: any, options?: any): Promise<any>; ping(options?: any): Promise<any>; discover(options?: any): Promise<any>;
    listen(filter: any, options?: any): Promise<any>; getProtocolEra(): any; sendRootsListChanged(): Promise<void>;
    getServerCapabilities(): any; getServerVersion(): any; getInstructions(): any; getNegotiatedProtocolVersion(): any;
  }
  export interface McpRequestContext { era: "modern" | "legacy"; authInfo?: AuthInfo; requestInfo?: any }
  export type McpServerFactory = (context: McpRequestContext) => any;
  export interface ServerNotifier {
    toolsChanged(): void; promptsChanged(): void; resourcesChanged(): void; resourceUpdated(uri: any): void;
  }
  export interface McpHttpHandler { notify: ServerNotifier; bus: any; fetch(request: any, options?: any): Promise<any>; close(): Promise<void> }
  export function createMcpHandler(factory: McpServerFactory, options?: any): McpHttpHandler;
  export function serveStdio(factory: McpServerFactory, options?: any): any;
  export function createRequestStateCodec(options: any): any;
  export function createMcpHonoApp(options?: any): any;
  export function createMcpExpressApp(options?: any): any;
  export function localhostHostValidation(): (request: any, response: any) => boolean;
  export function localhostOriginValidation(): (request: any, response: any) => boolean;
  export function hostHeaderValidationResponse(request: any, allowed: any): any;
  export function originValidationResponse(request: any, allowed: any): any;
  export function localhostAllowedHostnames(): any;
  export function localhostAllowedOrigins(): any;
  export function toNodeHandler(handler: any, options?: any): any;
  export function toWebRequest(request: any, body?: any): any;
  export function isLegacyRequest(request: any, options?: any): Promise<boolean>;
  export function isJsonContentType(type: any): boolean;
  export class StreamableHTTPServerTransport { constructor(options?: any); [member: string]: any }
  export class NodeStreamableHTTPServerTransport { constructor(options?: any); [member: string]: any }
  export interface AuthInfo { token: any; clientId: any; scopes: any; expiresAt?: any; resource?: any; extra?: any }
  export interface OAuthTokenVerifier { verifyAccessToken(token: any): Promise<AuthInfo> }
  export function requireBearerAuth(options: any): any;
  export function mcpAuthMetadataRouter(options: any): any;
  export function getOAuthProtectedResourceMetadataUrl(url: any): any;
  export class OAuthError extends Error { constructor(code: any, message: any, uri?: any); code: any }
  export class InvalidTokenError extends Error { constructor(message: any) }
  export const OAuthErrorCode: any;
  export interface AuthProvider { token(): any; onUnauthorized?(context: any): any }
  export interface OAuthClientProvider {
    redirectUrl: any; clientMetadataUrl?: any; clientMetadata: any; clientInformation(context?: any): any; tokens(context?: any): any;
    saveTokens(tokens: any, context?: any): any; redirectToAuthorization(url: any): any; saveCodeVerifier(verifier: any): any;
    codeVerifier(): any;
  }
  export class StreamableHTTPClientTransport { constructor(url: any, options?: any); finishAuth(response: any, iss?: any): Promise<void>; [member: string]: any }
  export class SSEClientTransport { constructor(url: any, options?: any); finishAuth(response: any, iss?: any): Promise<void>; [member: string]: any }
  export class ClientCredentialsProvider { constructor(options: any); tokens(): any }
  export class PrivateKeyJwtProvider { constructor(options: any); tokens(): any }
  export class StaticPrivateKeyJwtProvider { constructor(options: any); tokens(): any }
  export class CrossAppAccessProvider { constructor(options: any); tokens(): any }
  export function validateClientMetadataUrl(url: any): void;
  export function extractWWWAuthenticateParams(response: any): any;
  export class McpError extends Error { constructor(...args: any[]); code: any; data: any; static [member: string]: any }
  export class UrlElicitationRequiredError extends Error { constructor(...args: any[]); elicitations: any }
  export const ErrorCode: any;
  export const ProtocolErrorCode: any;
  export const SdkErrorCode: any;
  export function completable<T>(schema: T, complete: (value: any, context: any) => any): T;
}
`;

/** Declares the modules that a project imports, by their specifiers. */
export function officialModules(specifiers: Iterable<string>): string {
  return [...specifiers].map((one) => `declare module ${JSON.stringify(one)} { export * from "official"; }\n`).join("");
}
