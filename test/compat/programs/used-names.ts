import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/**
 * What programs of the official SDK use, and a program on our packages must be able to use: identifiers, members as `object.member`, assigned
 * members as `member =`, calls with a number of arguments as `function(1)`, and modules.
 */
const names: readonly string[] = [
  // How a client negotiates, and what it then knows.
  ...["versionNegotiation", "prior", "getDiscoverResult", "getProtocolEra", "supportedProtocolVersions"],
  // Servers that are made for a request.
  ...["createMcpHandler", "McpRequestContext", "era", "authInfo", "requestInfo", "isLegacyRequest", "serveStdio"],
  // Frameworks and guards.
  ...["createMcpHonoApp", "createMcpExpressApp", "createMcpFastifyApp", "hostHeaderValidation", "originValidation"],
  "NodeStreamableHTTPServerTransport",
  ...["@modelcontextprotocol/express", "@modelcontextprotocol/fastify", "@modelcontextprotocol/hono"],
  // The context of handlers.
  ...["id", "method", "_meta", "send", "notify", "log", "elicitInput", "requestSampling", "inputResponses"].map(
    (member) => `mcpReq.${member}`,
  ),
  ...["mcpReq.requestState", "signal", "http.authInfo", "ctx.sessionId"],
  // Types of results at callbacks.
  ...["CallToolResult", "GetPromptResult", "ReadResourceResult", "InputRequiredResult", "ElicitResult"],
  // OAuth.
  ...["AuthInfo", "OAuthTokenVerifier", "OAuthError", "OAuthErrorCode", "OAuthMetadata", "verifyBearerToken"],
  ...["bearerAuthChallengeResponse", "requireBearerAuth", "mcpAuthMetadataRouter"],
  "getOAuthProtectedResourceMetadataUrl",
  // Requests and notifications by method.
  ...["client.request", "client.setRequestHandler", "client.setNotificationHandler"],
  ...["server.setRequestHandler", "server.setNotificationHandler", "ElicitRequest"],
  // Changes.
  ...["ada.listen", "listChanged", "subscribeResource(1)", "handler.notify", "handler.bus", "InMemoryServerEventBus"],
  // What only the low-level server has.
  ...["registerCapabilities", "sendResourceUpdated", "listRoots", "createElicitationCompletionNotifier"],
  // Options of requests.
  ...["timeout", "onprogress", "cacheMode"],
  ...["completable", "createRequestStateCodec", "onerror =", "ResourceTemplate"],
  // HTTP+SSE, and the package of version 1.
  ...["SSEServerTransport", "SSEClientTransport", "@modelcontextprotocol/sdk/server/mcp.js"],
  // Validators.
  ...["AjvJsonSchemaValidator", "CfWorkerJsonSchemaValidator", "fromJsonSchema", "jsonSchemaValidator"],
];

/** Returns the names that no program in the folders uses. */
export function missingNames(folders: readonly string[]): readonly string[] {
  const used = new Set<string>();
  for (const folder of folders) for (const file of readdirSync(folder)) collect(parse(join(folder, file)), used);
  return names.filter((name) => !used.has(name));
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
}

function collect(node: ts.Node, used: Set<string>): void {
  if (ts.isIdentifier(node)) used.add(node.text);
  else if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
    used.add(node.moduleSpecifier.text);
  else if (ts.isPropertyAccessExpression(node)) used.add(`${lastName(node.expression)}.${node.name.text}`);
  else if (ts.isCallExpression(node)) used.add(`${lastName(node.expression)}(${node.arguments.length})`);
  else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    used.add(`${lastName(node.left)} =`);
  ts.forEachChild(node, (child) => collect(child, used));
}

/** The name of a variable, or of the member that an expression reads. */
function lastName(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  return ts.isPropertyAccessExpression(node) ? node.name.text : "";
}
