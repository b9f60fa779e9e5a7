import { clientSides } from "@mcpwright/protocol/client-sides";
import { decodeJwt } from "jose";
import { onTestFinished } from "vitest";
import type { Backplane } from "../../../../runtime/src/backplane.js";
import { ClientCredentialsProvider } from "../../../../runtime/src/auth.js";
import {
  type DpopOptions,
  jwtVerifier,
  type RefusedRequest,
  requireBearerAuth,
} from "../../../../runtime/src/auth-server.js";
import { Client } from "../../../../runtime/src/client.js";
import type { FetchLike } from "../../../../runtime/src/client/http.js";
import { SSEClientTransport, StreamableHTTPClientTransport } from "../../../../runtime/src/client/http.js";
import { type HttpServerHandle, serveHttp, type ServeHttpOptions } from "../../../../runtime/src/node.js";
import { McpServer } from "../../../../runtime/src/server.js";
import { type AuthServer, startAuthServer } from "../../../auth-server/auth-server.js";
import { freePort } from "../../../../scripts/free-port.js";

export const service = { clientId: "service", clientSecret: "secret-of-the-service" };
const quick = { initialReconnectionDelay: 5, maxReconnectionDelay: 20, maxRetries: 5 };

/** An authorization server that issues bound tokens to one service. */
export function startDpopAuthServer(): Promise<AuthServer> {
  return startAuthServer({
    dpopNonces: true,
    clients: [
      {
        client_id: service.clientId,
        client_secret: service.clientSecret,
        grant_types: ["client_credentials"],
        response_types: [],
        redirect_uris: [],
      },
    ],
  });
}

/** One request of a client to the MCP server. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The JSON-RPC method of its body. */
  readonly message: string | undefined;
  /** The claims of its proof. */
  readonly proof: Readonly<Record<string, unknown>> | undefined;
}

export interface World {
  readonly server: McpServer;
  readonly served: HttpServerHandle;
  readonly refused: RefusedRequest[];
  /** What clients have sent to the MCP server. */
  readonly sent: SentRequest[];
  connect(revision: string): Promise<Client>;
  connectOverSse(): Promise<Client>;
}

export interface WorldOptions extends ServeHttpOptions {
  readonly dpop?: DpopOptions;
  readonly backplane?: Backplane | undefined;
  /** Called in the middle of the tool `work`. */
  readonly inTheMiddle?: () => void;
}

/** An MCP server that accepts only bound tokens and demands nonces, until the test has finished. */
export async function createWorld(
  authServer: AuthServer,
  { dpop, backplane, inTheMiddle = () => undefined, ...options }: WorldOptions = {},
): Promise<World> {
  const port = options.port ?? (await freePort());
  const resource = `http://127.0.0.1:${port}/mcp`;
  authServer.resources.set(resource, { scopes: ["use"], tokens: "jwt" });
  const refused: RefusedRequest[] = [];
  const authorization = requireBearerAuth({
    resource,
    verifier: jwtVerifier({ issuer: authServer.issuer }),
    requiredScopes: ["use"],
    dpop: { required: true, nonces: true, ...dpop },
    onRefused: (request) => refused.push(request),
  });
  const server = createServerWithTools(inTheMiddle, backplane);
  const served = await serveHttp(server, { graceMs: 100, ...options, port, authorization });
  const clients: Client[] = [];
  const sent: SentRequest[] = [];
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.close()));
    const cut = setInterval(() => served.server.closeAllConnections(), 5);
    await served.close();
    clearInterval(cut);
  });
  const record: FetchLike = async (url, init) => {
    const request = new Request(url, init);
    const proof = request.headers.get("dpop");
    const response = await fetch(url, init);
    const { pathname } = new URL(request.url);
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as { readonly method?: string }) : undefined;
    sent.push({
      method: request.method,
      path: pathname,
      status: response.status,
      message: body?.method,
      proof: proof === null ? undefined : decodeJwt(proof),
    });
    return response;
  };
  const transportOptions = () => ({
    authProvider: new ClientCredentialsProvider({ ...service, dpop: true }),
    fetch: record,
    reconnectionOptions: quick,
  });
  return {
    server,
    served,
    refused,
    sent,
    async connect(revision) {
      const revisions = clientSides.filter((side) => side.revision === revision);
      const client = new Client({ name: "client", version: "1.0.0" }, { revisions });
      clients.push(client);
      await client.connect(new StreamableHTTPClientTransport(resource, transportOptions()));
      return client;
    },
    async connectOverSse() {
      const client = new Client({ name: "client", version: "1.0.0" });
      clients.push(client);
      await client.connect(new SSEClientTransport(resource, transportOptions()), { era: "handshake" });
      return client;
    },
  };
}

function createServerWithTools(inTheMiddle: () => void, backplane: Backplane | undefined): McpServer {
  const server = new McpServer({ name: "protected", version: "1.0.0" }, { backplane });
  server.registerTool("whoami", {}, ({ principal }) => ({
    content: [{ type: "text", text: principal?.subject ?? "nobody" }],
  }));
  server.registerTool("work", {}, async (context) => {
    context.progress({ progress: 1 });
    inTheMiddle();
    // Ends the stream: the client resumes it with a request of its own.
    context.http?.closeSSE?.(5);
    await new Promise((resolve) => setTimeout(resolve, 5));
    context.progress({ progress: 2 });
    return { content: [{ type: "text", text: "done" }] };
  });
  return server;
}

export async function call(client: Client, name = "whoami"): Promise<string> {
  const { content } = await client.callTool({ name });
  return content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");
}
