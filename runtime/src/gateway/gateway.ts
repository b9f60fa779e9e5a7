import { TOOLS_CALL } from "@mcpwright/protocol/names";
import type { Implementation, ServerCapabilities } from "../authoring.js";
import type { Change } from "../connection/change.js";
import { log } from "../connection/logger.js";
import { reportTo } from "../connection/error-reporting.js";
import type { MethodHandlers } from "../connection/dispatch-table.js";
import { SdkError } from "../jsonrpc/errors.js";
import { Server } from "../server.js";
import type { ServerConnection, ServerContext } from "../server/contracts.js";
import type { Transport } from "../transport/transport.js";
import { accessTo, type ServerAccess } from "./access/server-access.js";
import { Composition } from "./composition/composition.js";
import { joinInstructions } from "./composition/join-instructions.js";
import { forwardRequest } from "./forward/forward-request.js";
import type { ForwardedRequest } from "./forward/forwarded-request.js";
import { forwardedMeta, META_GATEWAYS } from "./forward/forwarded-meta.js";
import { serversWith } from "./extensions/servers-with.js";
import { assertServers, type GatewayOptions } from "./gateway-options.js";
import type { GatewayServerState } from "./gateway-server-state.js";
import type { GatherOptions } from "./lists/gather.js";
import { askingForLogIns, type LogInHost, subscribeOrAsk } from "./log-in/ask-for-log-in.js";
import { LogInRequiredError } from "./log-in/log-in-required.js";
import type { LogInTools } from "./log-in/server-log-in.js";
import { logInToolsFor, startLogIn } from "./log-in/start-log-in.js";
import { GatewayLists } from "./lists/gateway-lists.js";
import type { GatewayLoss } from "./losses/gateway-loss.js";
import type { LossRecorder } from "./losses/loss-recorder.js";
import { createCall, type HandlersHost, methodHandlers } from "./method-handlers.js";
import { clientGone, sessionHandlers } from "./session-handlers.js";
import { clientsOf, endUnwanted, isWantedBy, subscribeTo } from "./subscriptions.js";
import type { ListName } from "./upstream/catalog.js";
import type { Place } from "./upstream/place.js";
import { Upstream } from "./upstream/upstream.js";
import type { UpstreamConnection } from "./upstream/upstream-connection.js";
import type { UpstreamHost } from "./upstream/upstream-host.js";

/** What a gateway offers; whether a server has it shows when a client asks. */
const capabilities: ServerCapabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
};

/**
 * Serves what several servers have to any client: pass it to `serveStdio`, `serveHttp` or `createMcpHandler`. Clients and servers can have
 * different revisions and transports.
 */
export class Gateway {
  /** Serves the clients. */
  readonly server: Server;
  readonly #options: GatewayOptions;
  readonly #info: Implementation;
  readonly #lists: GatewayLists;
  readonly #losses: LossRecorder | undefined;
  #upstreams: readonly Upstream[] = [];
  #byName = new Map<string, Upstream>();
  #composition: Composition;
  /** What clients may use; undefined: all. */
  #access: ServerAccess | undefined;
  /** Undefined if users log in at none of the servers. */
  #logInTools: LogInTools | undefined;
  #id: string | undefined;
  /** Problems that were reported, so that each is reported once. */
  readonly #reported = new Set<string>();

  /** @throws SdkError `INVALID_CONFIGURATION` */
  constructor(options: GatewayOptions) {
    const { servers, names, extensions = [], info = { name: "gateway", version: "1.0.0" } } = options;
    assertServers(servers);
    this.#options = options;
    this.#info = info;
    this.#composition = new Composition(servers, names);
    const audit = options.audit?.attachGateway((error) => this.#report(error));
    const logIns: LogInHost = {
      hasLogIns: () => this.#logInTools !== undefined,
      logInAt: (server) => this.#byName.get(server)?.logIn,
      asked: (context, server) => audit?.routed(context, server),
    };
    this.server = new Server(info, {
      ...options,
      ...(audit && { middleware: [audit.middleware] }),
      extensions: extensions.map(({ server }) => server),
      capabilities,
      instructions: (context) => this.#instructions(context),
      canSubscribe: (uri, context) => subscribeOrAsk(() => this.#subscribe(uri, context), context, logIns),
      toolInputSchema: async (name, context) => {
        try {
          const { server, name: own, item } = await this.#lists.tool(context, name);
          this.#access?.assert(context, server, own);
          return item.inputSchema;
        } catch (error) {
          // The handler of the call asks for it.
          if (error instanceof LogInRequiredError) return undefined;
          audit?.refused(context, error);
          throw error;
        }
      },
    });
    this.#losses = options.losses?.start((...entry) => log(this.server.options, ...entry));
    this.#access = this.#accessTo(servers);
    this.#logInTools = logInToolsFor(servers, this.#composition);
    this.#lists = this.#createLists();
    const forward = (context: ServerContext, server: string, request: ForwardedRequest) => {
      audit?.routed(context, server);
      return this.#forward(context, server, request);
    };
    const lists = this.#lists;
    const added = {};
    const call = createCall({ lists, added, forward });
    const resourceUris = async (context: ServerContext) => (await lists.resources(context)).joined.uris;
    const having = (context: ServerContext, id: string) => serversWith(this.#upstreamsFor(context), context, id);
    const attached = extensions.map((one) => one.attachGateway({ resourceUris, call, serversWith: having }));
    Object.assign(added, ...attached.map((one) => one.added));
    const start: HandlersHost["startLogIn"] = (context, tool) => {
      if (!this.#logInTools?.has(tool)) return undefined;
      this.#access?.assert(context, tool.server, undefined);
      return startLogIn(this.#logInTools, context, this.#upstream(tool.server));
    };
    const requests = {
      ...methodHandlers({ lists, forward, call, startLogIn: start, listed: this.#listed() }),
      ...(Object.assign({}, ...attached.map((one) => one.handlers)) as MethodHandlers),
    };
    this.server.handle<MethodHandlers>({
      ...askingForLogIns(requests, logIns),
      ...sessionHandlers(this.server, () => this.#upstreams),
    });
    this.#use(servers);
  }

  /** The state of each server. */
  get servers(): readonly GatewayServerState[] {
    return this.#upstreams.map((upstream) => {
      const [connection] = upstream.connections;
      const { client } = connection ?? {};
      return {
        name: upstream.name,
        ...upstream.state,
        calls: upstream.calls,
        failedCalls: upstream.failedCalls,
        tools: connection?.catalog.latest("tools")?.items.length,
        transport: upstream.transport,
        revision: client?.getNegotiatedProtocolVersion(),
        info: client?.getServerVersion(),
      };
    });
  }

  /**
   * Replaces the servers. One whose options are the same object as before keeps its connections; the requests of the others may finish.
   * Clients are notified that all lists have changed.
   * @param graceMs milliseconds that running requests to servers that are no longer used have. Default: `5_000`
   * @throws SdkError `INVALID_CONFIGURATION` when an option is invalid; the servers stay as they were
   */
  async update(servers: GatewayOptions["servers"], graceMs = 5_000): Promise<void> {
    assertServers(servers);
    const composition = new Composition(servers, this.#options.names);
    const access = this.#accessTo(servers);
    const before = this.#upstreams;
    this.#composition = composition;
    this.#access = access;
    this.#logInTools = logInToolsFor(servers, this.#composition);
    this.#use(servers);
    this.#lists.clear();
    for (const upstream of this.#upstreams) upstream.tryAgain();
    for (const kind of ["tools", "prompts", "resources"] as const) this.server.notifyChanged({ kind });
    const unused = before.filter((upstream) => this.#byName.get(upstream.name) !== upstream);
    await Promise.all(unused.map((upstream) => upstream.retire(graceMs)));
  }

  #accessTo(servers: GatewayOptions["servers"]): ServerAccess | undefined {
    const { features } = this.server;
    const gates = features.gates ?? new WeakMap();
    const access = accessTo(servers, gates);
    if (access) Object.assign(features, { gates, isScoped: true });
    return access;
  }

  /** @throws ProtocolError; LogInRequiredError */
  #forward(context: ServerContext, server: string, request: ForwardedRequest): Promise<Record<string, unknown>> {
    const upstream = this.#upstream(server);
    const access = this.#access?.isScoped(server) ? this.#access : undefined;
    if (access || upstream.logIn) return this.#forwardPrivately(access, context, upstream, request);
    return forwardRequest(context, upstream, request, this.#gatewayId());
  }

  async #forwardPrivately(
    access: ServerAccess | undefined,
    context: ServerContext,
    upstream: Upstream,
    request: ForwardedRequest,
  ): Promise<Record<string, unknown>> {
    const { method, params } = request;
    access?.assert(context, upstream.name, method === TOOLS_CALL ? (params["name"] as string) : undefined);
    const result = await forwardRequest(context, upstream, request, this.#gatewayId());
    // Others may not use what the server has.
    return "cacheScope" in result ? { ...result, cacheScope: "private" } : result;
  }

  /** The servers that a client may use. */
  #upstreamsFor(context: Pick<ServerContext, "extra">): readonly Upstream[] {
    const access = this.#access;
    return access ? this.#upstreams.filter(({ name }) => access.mayUse(context, name)) : this.#upstreams;
  }

  #use(servers: GatewayOptions["servers"]): void {
    const before = this.#byName;
    this.#byName = new Map(
      Object.entries(servers).map(([name, options]) => {
        const known = before.get(name);
        return [name, known?.options === options ? known : new Upstream(name, options, this.#host())];
      }),
    );
    this.#upstreams = [...this.#byName.values()];
  }

  /** What could not be passed on so far, of the servers that it has now; with the option `losses`. */
  get losses(): readonly GatewayLoss[] {
    return this.#losses?.losses.filter(({ server }) => this.#byName.has(server)) ?? [];
  }

  /** Serves the client behind a transport. `serveStdio` calls it. */
  async connect(transport: Transport): Promise<ServerConnection> {
    const connection = await this.server.connect(transport);
    const { onclose } = transport;
    Object.assign(transport, {
      onclose: (error?: Error) => {
        onclose?.(error);
        clientGone(this.#upstreams, connection);
        // The connections to commands would keep a process alive whose only client has gone.
        if (this.server.connections.size === 0) for (const upstream of this.#upstreams) upstream.closeUnused();
      },
    });
    return connection;
  }

  /** Closes the connections to clients gracefully, then those to servers. */
  async close(graceMs?: number): Promise<void> {
    await this.server.close(graceMs);
    await Promise.all(this.#upstreams.map((upstream) => upstream.close()));
  }

  #host(): UpstreamHost {
    return {
      info: this.#info,
      extensions: this.#options.extensions ?? [],
      pinning: this.#options.pinning,
      review: this.#options.review,
      listMeta: (context) => this.#listMeta(context),
      losses: this.#losses,
      report: (error) => this.#report(error),
      changed: (connection, change) => this.#changed(connection, change),
      isWanted: (place, uri) => isWantedBy(this.#clientsOf(place), uri),
      endUnwanted: (connection) => endUnwanted(connection, this.#clientsOf(connection.place)),
      sealer: this.server.sealer,
      changedFor: (user) => {
        for (const client of this.#clientsOf({ owner: undefined, user }))
          for (const kind of ["tools", "prompts", "resources"] as const) client.notifyChanged({ kind });
      },
      clientUri: (server, uri, context) =>
        (context ? this.#lists.knownUris(context) : this.#composition.unlistedUris).toClient(server, uri),
    };
  }

  #createLists(): GatewayLists {
    return new GatewayLists({
      upstreams: (context) => this.#upstreamsFor(context),
      hidden: (context) => {
        const shown = this.#upstreamsFor(context);
        return shown === this.#upstreams ? [] : this.#upstreams.filter((one) => !shown.includes(one));
      },
      access: () => this.#access,
      logInTools: () => this.#logInTools,
      composition: () => this.#composition,
      gatherOptions: (context, name) => this.#gatherOptions(context, name),
      refused: ({ server, name, reason }) =>
        this.#reportOnce(new SdkError("INVALID_CONFIGURATION", `server "${server}": "${name}" is left out: ${reason}`)),
    });
  }

  #gatherOptions(context: ServerContext, name: ListName): GatherOptions {
    const kind = name === "resourceTemplates" ? "resources" : name;
    return {
      meta: this.#listMeta(context),
      onLate: () => this.server.notifyChanged({ kind }),
      onMissing: (server, cause) => {
        const code = cause instanceof SdkError ? cause.code : "NOT_CONNECTED";
        const message = `server "${server}" is missing in lists: ${cause.message}`;
        this.#reportOnce(new SdkError(code, message, undefined, { cause }));
      },
    };
  }

  #listMeta(context: ServerContext | undefined): object {
    return forwardedMeta(context && { [META_GATEWAYS]: context._meta[META_GATEWAYS] }, this.#gatewayId());
  }

  #listed(): HandlersHost["listed"] {
    const losses = this.#losses;
    return (
      losses &&
      ((list, context) =>
        losses.listed(list, context, {
          connections: () => this.#currentConnections(context),
          mayKnow: (server) => this.#mayKnow(context, server),
        }))
    );
  }

  /** Whether a client can use a server now: it has the scopes, and its user has logged in. */
  #mayKnow(context: ServerContext, server: string): boolean {
    const upstream = this.#byName.get(server);
    if (!upstream || this.#access?.mayUse(context, server) === false) return false;
    return !upstream.logIn || upstream.current(context) !== undefined;
  }

  *#currentConnections(context: ServerContext): Generator<UpstreamConnection> {
    for (const upstream of this.#upstreams) {
      const connection = upstream.current(context);
      if (connection) yield connection;
    }
  }

  #upstream(name: string): Upstream {
    const upstream = this.#byName.get(name);
    if (!upstream) throw new SdkError("NOT_CONNECTED", `the gateway no longer has the server "${name}"`);
    return upstream;
  }

  async #subscribe(uri: string, context: ServerContext): Promise<boolean> {
    const found = await this.#lists.resource(context, uri);
    this.#access?.assert(context, found.server, undefined);
    return subscribeTo(this.#upstream(found.server), context, found.uri, uri);
  }

  #changed(connection: UpstreamConnection, change: Change): void {
    const { owner, user } = connection.place;
    if (owner) owner.notifyChanged(change);
    else if (user === undefined) this.server.notifyChanged(change);
    else for (const client of this.#clientsOf(connection.place)) client.notifyChanged(change);
    if (change.uri !== undefined) endUnwanted(connection, this.#clientsOf(connection.place));
  }

  #clientsOf(place: Pick<Place, "owner" | "user">): Iterable<ServerConnection> {
    return clientsOf(place, this.server.connections);
  }

  /** Those of the servers that are connected: a client does not wait for the others. */
  #instructions(context: Pick<ServerContext, "extra">): string | undefined {
    const { instructions: own } = this.#options;
    if (own === false) return undefined;
    const servers = this.#upstreamsFor(context).map((upstream) => {
      const prefix = this.#composition.names.tools.prefixOf(upstream.name);
      return { name: upstream.name, prefix, instructions: upstream.shownTo(context)?.instructions };
    });
    return joinInstructions(own, servers);
  }

  /** Made with the first request: some hosts have no random numbers before. */
  #gatewayId(): string {
    return (this.#id ??= crypto.randomUUID());
  }

  #report(error: Error): void {
    reportTo(this.server.options, error);
  }

  #reportOnce(error: SdkError): void {
    // The pause before the next attempt differs each time.
    const problem = error.message.replace(/\d+ ms/, "");
    if (this.#reported.has(problem)) return;
    if (this.#reported.size >= 1_000) this.#reported.clear();
    this.#reported.add(problem);
    this.#report(error);
  }
}

/**
 * Creates a gateway: one server with everything that other servers have.
 * @example
 * ```ts
 * const gateway = createGateway({
 *   servers: {
 *     files: { transport: () => new StdioClientTransport({ command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] }) },
 *     docs: { url: "https://docs.example.com/mcp" },
 *   },
 * });
 * await serveHttp(gateway, { port: 3000 });
 * ```
 * @throws SdkError `INVALID_CONFIGURATION` when an option is invalid
 */
export function createGateway(options: GatewayOptions): Gateway {
  return new Gateway(options);
}
