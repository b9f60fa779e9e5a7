import type { Profile } from "@mcpwright/protocol/contract";
import { reportUserErrorTo } from "../connection/error-reporting.js";
import type { HttpRequest } from "../http-server/host-adapter.js";
import type { HostedConnection, HostedServer } from "../http-server/hosted-server.js";
import { HttpRejection } from "../http-server/rejection.js";
import { ErrorCode, ProtocolError, SdkError } from "../jsonrpc/errors.js";
import type { HttpRequestInfo } from "../transport/message-extra.js";
import type { Principal } from "../transport/principal.js";
import type { Transport } from "../transport/transport.js";
import type { ServerConnection } from "./contracts.js";
import { eraOf } from "./era-of.js";
import type { Server } from "./server.js";

/** A client for which a server is made. */
export interface ServedClient {
  /** Undefined over stdio, where the server is made before the first message. */
  readonly era: Profile["opening"] | undefined;
  /** The authenticated sender of the request, such as the `AuthInfo` of `requireBearerAuth`. */
  readonly principal: Principal | undefined;
  /** The HTTP request: of the stateless era, or the one that opens a session. */
  readonly http: HttpRequestInfo | undefined;
}

/** A `Server`, or an object with one, such as an `McpServer`. */
export type ServerSource = HostedServer | { readonly server: HostedServer };

/** Returns the server for a client: a new one, or one that it has returned before. */
export type MakeServer = (client: ServedClient) => ServerSource | Promise<ServerSource>;

/** The value that `serverPerClient` returns: pass it to `serveHttp`, `createMcpHandler` or `serveStdio`. */
export interface PerClientServer extends HostedServer {
  connect(transport: Transport): Promise<ServerConnection>;
}

/**
 * Serves each client with a server of its own: over HTTP, `make` is called for each request of the stateless era and for each session, at
 * each node; over stdio once. Tools can then depend on the user or tenant. Clients have in common
 * what the options of `shared` set: `backplane`, `stateKeys`, `suspension`, `limits` and `logger`. Its `sendResourceUpdated` notifies the
 * clients of all servers.
 *
 * An error that `make` throws is the response: a `ProtocolError` as it is, with status 400; any other as `Internal error`, with status 500, and
 * it is reported. Making a server costs more than a small request, so keep those that you can use again.
 * @param shared has no tools, resources and prompts of its own
 * @param make returns a server with the same revisions, without a backplane, and without `scopes` at its tools, resources and prompts
 * @throws SdkError `INVALID_CONFIGURATION` when `shared` is not a server, or has features
 * @example
 * ```ts
 * const shared = new McpServer({ name: "shop", version: "1.0.0" });
 * const tenants = new Map<string, McpServer>();
 * await serveHttp(serverPerClient(shared, ({ principal }) => tenants.get(principal?.subject ?? "") ?? guests));
 * ```
 */
export function serverPerClient(shared: ServerSource, make: MakeServer): PerClientServer {
  return new ServerPerClient(serverOf(shared, "serverPerClient: pass an McpServer or a Server as shared"), make);
}

class ServerPerClient implements PerClientServer {
  readonly options: HostedServer["options"];
  readonly revisions: HostedServer["revisions"];
  readonly connections: Server["connections"];
  /** The servers that share the state of `shared`. */
  readonly #joined = new WeakSet<Server>();
  /** The servers of requests that are about to be served. */
  readonly #made = new WeakMap<HttpRequest, Server>();

  constructor(
    readonly shared: Server,
    readonly make: MakeServer,
  ) {
    ({ options: this.options, revisions: this.revisions, connections: this.connections } = shared);
    if (Object.keys(shared.features).length > 0)
      throw invalid(
        "serverPerClient: register tools, resources and prompts at the servers that make returns, not at shared",
      );
  }

  get node(): HostedServer["node"] {
    return this.shared.node;
  }

  async connect(transport: Transport): Promise<ServerConnection> {
    const server = await this.#serverFor({ era: undefined, principal: undefined, http: undefined });
    return server.connect(transport);
  }

  /** Makes the server of a request. Rejects with an HttpRejection. */
  prepare(request: HttpRequest, message: unknown): Promise<void> | undefined {
    if (request.method === "OPTIONS") return undefined;
    const client = { era: eraOf(message), principal: request.principal, http: request };
    return this.#serverFor(client).then(
      (server) => void this.#made.set(request, server),
      (error: unknown) => {
        if (error instanceof ProtocolError) throw new HttpRejection(400, error);
        reportUserErrorTo(this.options, error);
        throw new HttpRejection(500, new ProtocolError(ErrorCode.InternalError, "Internal error"));
      },
    );
  }

  accept(transport: Transport, request?: HttpRequest): HostedConnection {
    const server = request && this.#made.get(request);
    if (!server) throw new TypeError("no server was made for this request");
    return server.accept(transport);
  }

  async #serverFor(client: ServedClient): Promise<Server> {
    // Also for a function that is not asynchronous: the notifications of its registrations must be over before other clients are joined.
    const made = await this.make(client);
    const server = serverOf(made, "serverPerClient: make must return an McpServer or a Server");
    if (server.features.isScoped)
      throw invalid(
        "serverPerClient: servers of single clients cannot have scopes; let make choose the tools by principal",
      );
    if (!this.#joined.has(server)) this.#join(server);
    return server;
  }

  /** Lets a server share the connections, the calls that wait, and the other nodes. */
  #join(server: Server): void {
    const { shared } = this;
    if (server === shared || server.openConnections.size > 0)
      throw invalid("serverPerClient: make must not return shared, or a server that is served in another way, too");
    if (server.options.backplane)
      throw invalid("serverPerClient: pass the backplane to shared, not to the servers that make returns");
    if (String(server.revisions.ids) !== String(shared.revisions.ids))
      throw invalid("serverPerClient: the servers that make returns must have the same revisions as shared");
    const { openConnections, connections, sealer, suspendedCalls } = shared;
    Object.assign(server, { openConnections, connections, sealer, suspendedCalls });
    Object.assign(server, { notifyChanged: shared.notifyChanged.bind(shared) });
    Object.defineProperty(server, "node", { get: () => shared.node });
    this.#joined.add(server);
  }
}

function serverOf(source: ServerSource, problem: string): Server {
  const { server = source } = Object(source) as { readonly server?: unknown };
  if (typeof Object(server) !== "object" || !("openConnections" in Object(server))) throw invalid(problem);
  return server as Server;
}

function invalid(problem: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", problem);
}
