import { revisionOfType } from "./official-messages.js";

/** What a name of the official SDK becomes. */
export interface NameTarget {
  readonly name: string;
  /** The module that exports it. */
  readonly from: string;
  /** Whether the name has no type parameters here. */
  readonly dropsTypeArguments?: boolean;
}

/** The side of the file that imports a name: both entries export the types of the protocol. */
export type Side = "server" | "client";

const runtime = "@mcpwright/runtime";

/** Names that the entry exports, too. */
const same: Readonly<Record<string, string>> = {
  [runtime]: `InMemoryTransport Transport TransportSendOptions ProtocolError SdkError SdkErrorCode McpError ErrorCode
    MissingRequiredClientCapabilityError ResourceNotFoundError UnsupportedProtocolVersionError UrlElicitationRequiredError
    RequestOptions RequestId Progress JSONRPCMessage JSONRPCRequest JSONRPCNotification JSONRPCResponse JSONRPCResultResponse
    JSONRPCErrorResponse`,
  [`${runtime}/server`]: `McpServer McpServerOptions Server ServerOptions ServerContext ResourceTemplate UriTemplate Variables CacheHint
    RegisteredTool RegisteredPrompt RegisteredResource RegisteredResourceTemplate ToolCallback PromptCallback ReadResourceCallback
    ReadResourceTemplateCallback ListResourcesCallback ResourceMetadata inputRequired InputRequiredSpec inputResponse InputResponseView
    acceptedContent`,
  [`${runtime}/server/http`]: "createMcpHandler McpHttpHandler McpHandlerRequestOptions",
  [`${runtime}/node`]: "toNodeHandler",
  [`${runtime}/stdio`]: `serveStdio ServeStdioOptions StdioServerHandle StdioServerTransport StdioClientTransport StdioServerParameters
    getDefaultEnvironment DEFAULT_INHERITED_ENV_VARS`,
  [`${runtime}/client`]: "Client ClientOptions ConnectOptions getDisplayName",
  [`${runtime}/client/http`]: `StreamableHTTPClientTransport StreamableHTTPClientTransportOptions SSEClientTransport AuthProvider
    ReconnectionScheduler FetchLike`,
  [`${runtime}/json-schema`]: "JsonSchemaValidator",
  [`${runtime}/auth`]: `UnauthorizedError InsufficientScopeError ClientCredentialsProvider ClientCredentialsProviderOptions
    PrivateKeyJwtProvider PrivateKeyJwtProviderOptions StaticPrivateKeyJwtProvider StaticPrivateKeyJwtProviderOptions
    CrossAppAccessProvider CrossAppAccessProviderOptions OAuthClientProvider OAuthClientInformation OAuthClientInformationContext
    OAuthDiscoveryState OAuthTokens`,
  [`${runtime}/auth/server`]: "InvalidTokenError getOAuthProtectedResourceMetadataUrl",
};

const renamed: Readonly<Record<string, NameTarget>> = {
  RequestHandlerExtra: { name: "ServerContext", from: `${runtime}/server`, dropsTypeArguments: true },
  CreateMcpHandlerOptions: { name: "McpHandlerOptions", from: `${runtime}/server/http` },
  McpServerFactory: { name: "MakeServer", from: `${runtime}/server` },
  McpRequestContext: { name: "ServedClient", from: `${runtime}/server` },
  ProtocolErrorCode: { name: "ErrorCode", from: runtime },
  CompleteResourceTemplateCallback: { name: "Completer", from: `${runtime}/server` },
  SSEClientTransportOptions: { name: "HttpClientOptions", from: `${runtime}/client/http` },
  StreamableHTTPReconnectionOptions: { name: "ReconnectionOptions", from: `${runtime}/client/http` },
  StandardSchemaWithJSON: { name: "AuthorSchema", from: `${runtime}/server`, dropsTypeArguments: true },
  CallToolRequestOptions: { name: "CallToolOptions", from: `${runtime}/client` },
  AuthInfo: { name: "AccessTokenInfo", from: `${runtime}/auth/server` },
  OAuthTokenVerifier: { name: "AccessTokenCheck", from: `${runtime}/auth/server` },
  OAuthClientMetadata: { name: "ClientMetadata", from: `${runtime}/auth` },
  OAuthClientInformationFull: { name: "OAuthClientInformation", from: `${runtime}/auth` },
  OAuthClientInformationMixed: { name: "OAuthClientInformation", from: `${runtime}/auth` },
  StoredOAuthClientInformation: { name: "OAuthClientInformation", from: `${runtime}/auth` },
  StoredOAuthTokens: { name: "OAuthTokens", from: `${runtime}/auth` },
  // The id of such a question, which 2026-07-28 removed.
  ElicitRequestURLParams: { name: "ElicitRequestURLParams", from: "@mcpwright/protocol/2025-11-25" },
};

/** Names that files of clients have another counterpart for. */
const ofClients: Readonly<Record<string, NameTarget>> = {
  UrlElicitationRequiredError: { name: "RemoteUrlElicitationRequiredError", from: `${runtime}/client` },
  isInputRequiredResult: { name: "isInputRequiredResult", from: `${runtime}/client` },
};

const byName: ReadonlyMap<string, NameTarget> = new Map([
  ...Object.entries(same).flatMap(([from, names]) =>
    names.split(/\s+/).map((name): [string, NameTarget] => [name, { name, from }]),
  ),
  ...Object.entries(renamed),
]);

/** All targets but the types of the protocol; a test compares them with the exports of the packages. */
export const nameTargets: readonly NameTarget[] = [...byName.values(), ...Object.values(ofClients)];

/** The counterpart of a name; undefined if there is none. */
export function targetOf(name: string, side: Side): NameTarget | undefined {
  const known = side === "client" && Object.hasOwn(ofClients, name) ? ofClients[name] : byName.get(name);
  if (known) return known;
  switch (revisionOfType(name)) {
    case "2026-07-28":
      return { name, from: `${runtime}/${side}` };
    case "2025-11-25":
      return { name, from: "@mcpwright/protocol/2025-11-25" };
    case undefined:
      return undefined;
  }
}

/** The section of the pages about migrating that explains a name without a counterpart. */
export function sectionOf(name: string, specifier: string): string {
  if (/OAuth|Auth(?!or)|Bearer|Dpop|^dpop|Token|Grant|Jwt/.test(name) || specifier.includes("/auth"))
    return "authorization";
  if (/modelcontextprotocol\/(?:express|hono|fastify)$/.test(specifier)) return "web-frameworks";
  if (specifier.includes("modelcontextprotocol/sdk")) return "from-sdk-1x";
  return specifier.includes("modelcontextprotocol/client") ? "names-clients" : "names-servers-and-both-sides";
}
