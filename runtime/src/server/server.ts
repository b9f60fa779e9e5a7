import type { Extension, ParamsDescriptor, Side } from "@mcpwright/protocol/contract";
import { COMPLETION_COMPLETE, META_SERVER_INFO, SUBSCRIPTIONS_LISTEN } from "@mcpwright/protocol/names";
import type { Implementation, ServerCapabilities } from "../authoring.js";
import { SwapRemoveSet } from "../collections/swap-remove-set.js";
import { hasCapability } from "../connection/capability.js";
import type { Change } from "../connection/change.js";
import { type MethodHandlers, DispatchTable } from "../connection/dispatch-table.js";
import type { AnyExtensions, AnyRevisions } from "../connection/known-messages.js";
import { MessageConverter } from "../connection/message-converter.js";
import { reportTo } from "../connection/error-reporting.js";
import { log, withErrorLog } from "../connection/logger.js";
import { compose } from "../connection/middleware.js";
import type { HandlerOutcome } from "../connection/request-context.js";
import { reportReservedMeta } from "../connection/reserved-meta.js";
import { Revisions, warnMissingConversions } from "../connection/revisions.js";
import { findHeaderParams } from "../http/tool-header-params.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { Meta } from "../jsonrpc/message-types.js";
import { JSON_TEXT } from "../jsonrpc/serialize.js";
import { assertImplementation } from "../options/assert-options.js";
import type { ServerNode } from "../http-server/server-backplane.js";
import { StateSealer } from "../request-state/state-sealer.js";
import { assertExtensionIds } from "../rules/extension-ids.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import { markHandled } from "../timing/mark-handled.js";
import type { Transport } from "../transport/transport.js";
import { CacheHints } from "./cache-hint.js";
import { limitCompletionValues } from "./completions.js";
import type { HeaderParam } from "../http/header-param.js";
import type { HeaderParamFinder, ServerConnection, ServerContext } from "./contracts.js";
import type { ServerHooks } from "./extension-hooks.js";
import { handshakeHandlers } from "./handshake/handlers.js";
import { ServedConnection } from "./served-connection.js";
import type { RegisteredFeatures } from "./registered-features.js";
import type { ServerExtension } from "./server-extension.js";
import type { KnownHandlers } from "./server-handlers.js";
import type { CoreServerOptions } from "./server-options.js";
import { reply } from "./stateless/suspended-call.js";
import { statelessHandlers } from "./stateless/handlers.js";
import { SuspendedCalls } from "./stateless/suspended-calls.js";

/**
 * The low-level server: handlers by method, shared by all connections. One server supports any number of connections and
 * all revisions passed to it.
 */
export class Server<
  const Sides extends readonly Side[] = AnyRevisions,
  const Extensions extends readonly Extension[] = AnyExtensions,
> {
  /** @internal */
  declare assertTaskOption?: ServerHooks<ServerContext>["assertTaskOption"];
  /** @internal */
  declare runTool?: ServerHooks<ServerContext>["runTool"];
  /** @internal */
  declare grantStream?: ServerHooks<ServerContext>["grantStream"];
  /** @internal */
  declare checkTool?: ServerHooks<ServerContext>["checkTool"];
  /** @internal */
  declare describeTool?: ServerHooks<ServerContext>["describeTool"];
  /** @internal */
  declare viewTools?: ServerHooks<ServerContext>["viewTools"];
  /** @internal */
  declare onConnect?: ServerHooks<ServerContext>["onConnect"];
  /** @internal */
  declare sendInputRequest?: ServerHooks<ServerContext>["sendInputRequest"];
  /** @internal */
  declare onClose?: ServerHooks<ServerContext>["onClose"];
  /** @internal */
  readonly revisions: Revisions;
  /** @internal */
  readonly dispatchTable: DispatchTable;
  /** @internal */
  readonly openConnections = new SwapRemoveSet<ServerConnection>();
  /** The open connections. */
  readonly connections: Iterable<ServerConnection> & { readonly size: number } = this.openConnections;
  /** @internal */
  readonly sealer: StateSealer;
  /** @internal */
  readonly suspendedCalls: SuspendedCalls | undefined;
  /** @internal */
  readonly maxRounds: number;
  /** @internal */
  refused = 0;
  /** @internal */
  readonly stateTtlMs: number;
  /** @internal */
  readonly hasMiddleware: boolean;
  /** What an `McpServer` has registered. @internal */
  readonly features: RegisteredFeatures = {};
  /** Converts input requests for clients of other revisions. @internal */
  readonly inputRequestConverter: MessageConverter;
  readonly #resultConverter: MessageConverter;
  readonly #cacheHints: CacheHints;
  readonly #serverInfoMeta: Meta | undefined;
  #capabilities: ServerCapabilities;
  #pendingChanges: Map<string, Change> | undefined;
  #node: ServerNode | undefined;
  #dispatch: (context: ServerContext) => unknown;

  readonly options: CoreServerOptions<Sides, Extensions>;

  /** @throws SdkError `INVALID_CONFIGURATION` when `info` or one of the options is invalid */
  constructor(
    readonly info: Implementation,
    given: CoreServerOptions<Sides, Extensions>,
  ) {
    const options = (this.options = withErrorLog(given));
    assertImplementation(info, options, options.limits, options.keepAlive, options.suspension);
    this.revisions = new Revisions(options.revisions, "server", options.extensions);
    this.#cacheHints = new CacheHints(options.cacheHints, this.revisions.all, (error) => reportTo(options, error));
    this.#capabilities = options.capabilities ?? {};
    assertExtensionIds(this.#capabilities);
    this.dispatchTable = new DispatchTable((row, side) => this.#isOffered(row, side));
    this.dispatchTable.add(handshakeHandlers(this));
    this.dispatchTable.add(statelessHandlers(this));
    this.sealer = new StateSealer(options.stateKeys);
    this.suspendedCalls = options.suspension === false ? undefined : new SuspendedCalls(options.suspension);
    this.maxRounds = options.maxRounds ?? 10;
    this.stateTtlMs = options.stateTtlMs ?? 900_000;
    this.#serverInfoMeta = options.includeServerInfo === false ? undefined : { [META_SERVER_INFO]: info };
    warnMissingConversions(this.revisions, options);
    this.inputRequestConverter = new MessageConverter(options.conversions, "toPeer", "server", "params");
    this.#resultConverter = new MessageConverter(options.conversions, "toPeer", "client", "results");
    this.hasMiddleware = !!options.middleware?.length;
    this.#dispatch = this.hasMiddleware ? compose(options.middleware ?? [], handleVisibly) : handle;
    for (const extension of options.extensions ?? []) (extension as ServerExtension).attachServer?.(this);
  }

  /** The server as other nodes see it. @internal */
  get node(): ServerNode | undefined {
    return (this.#node ??= this.#join());
  }

  get capabilities(): ServerCapabilities {
    return this.#capabilities;
  }

  /**
   * Declares further capabilities. Handshake-era clients that are already connected are not informed.
   * @throws SdkError `INVALID_CONFIGURATION` when the id of an extension is invalid
   */
  registerCapabilities(capabilities: ServerCapabilities): void {
    assertExtensionIds(capabilities);
    const merged: Record<string, unknown> = { ...this.#capabilities };
    for (const [name, value] of Object.entries(capabilities))
      merged[name] = { ...(merged[name] as object | undefined), ...(value as object) };
    this.#capabilities = merged;
    this.dispatchTable.reset();
  }

  /**
   * Registers handlers by method, for current and future connections: the methods of the options `revisions` and `extensions`. `Known`
   * is another type of handlers, such as `MethodHandlers` for any methods.
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` when a method needs a capability of the server that is not declared
   */
  handle<Known extends object = KnownHandlers<Sides, Extensions>>(handlers: NoInfer<Known>): void {
    for (const method of Object.keys(handlers)) {
      const side = this.revisions.all.find(({ receives }) => Object.hasOwn(receives.requests, method));
      const row = side?.receives.requests[method];
      if (row && !this.#isOffered(row, side))
        throw new SdkError(
          "CAPABILITY_NOT_SUPPORTED",
          `a handler of ${method} needs the capability ${String(row.capability)}; declare it in capabilities`,
        );
    }
    this.dispatchTable.add(handlers as MethodHandlers);
  }

  /** Opens a transport and serves the client behind it. */
  connect(transport: Transport): Promise<ServerConnection> {
    return markHandled(this.#connect(transport));
  }

  async #connect(transport: Transport): Promise<ServerConnection> {
    this.onConnect?.();
    const connection = this.#admit(transport);
    try {
      await connection.open();
    } catch (error) {
      this.openConnections.delete(connection);
      throw error;
    }
    log(this.options, "debug", {}, "connection opened");
    return connection;
  }

  /** Immediately serves the client of a transport that needs no opening. */
  accept(transport: Transport): ServerConnection {
    const connection = this.#admit(transport);
    connection.attach();
    if (!transport.isStateless && !transport.isSingleRequest) log(this.options, "debug", {}, "connection opened");
    return connection;
  }

  #admit(transport: Transport): ServedConnection {
    const connection = new ServedConnection(this, transport);
    this.openConnections.add(connection);
    this.#node ??= this.#join();
    return connection;
  }

  /** Joins the other nodes, with the first client: some hosts provide neither random numbers nor timers before the first request. */
  #join(): ServerNode | undefined {
    return this.options.backplane?.connectServer({
      name: this.info.name,
      deliver: (change) => this.#deliver([change]),
      accept: (transport) => this.accept(transport),
      stateKeys: this.options.stateKeys,
      tools: this.features.tools?.registry,
      onerror: (error) => reportTo(this.options, error),
    });
  }

  /** Closes all connections gracefully (see `ServerConnection.shutdown`). */
  close(graceMs?: number): Promise<void> {
    this.#node?.drain();
    const closing = [...this.openConnections].map((connection) => connection.shutdown(graceMs));
    const closed = Promise.all([...closing, this.onClose?.(graceMs)]).then(() => undefined);
    return markHandled(closed.finally(() => this.#node?.end()));
  }

  /** Notifies every subscribed client. Equal changes in the same tick are sent once. */
  notifyChanged(change: Change): void {
    if (!this.#pendingChanges) {
      const changes = (this.#pendingChanges = new Map<string, Change>());
      // Before the first client, lists are not changed, but made.
      const hasClients = this.#node !== undefined;
      queueMicrotask(() => {
        this.#pendingChanges = undefined;
        this.#deliver([...changes.values()]);
        for (const one of changes.values()) if (hasClients || one.uri !== undefined) this.node?.publish(one);
      });
    }
    this.#pendingChanges.set(`${change.kind} ${change.uri ?? ""}`, change);
  }

  #deliver(changes: readonly Change[]): void {
    for (const connection of this.openConnections)
      if (!connection.transport.sharesChanges) for (const one of changes) connection.notifyChanged(one);
  }

  /** Runs the handler of a request, through the middleware. @internal */
  dispatch(context: ServerContext): unknown {
    return this.#dispatch(context);
  }

  /** @internal */
  findHeaderParams(...[name, context]: Parameters<HeaderParamFinder>): ReturnType<HeaderParamFinder> {
    const { toolInputSchema } = this.options;
    const registered = this.features.tools?.registry.get(name)?.headers;
    return registered ?? (toolInputSchema && headerParamsBy(toolInputSchema, name, context));
  }

  /** Converts a handler's result to the client's revision. @internal */
  finishResult(context: ServerContext, result: unknown): object {
    if (typeof result !== "object" || result === null)
      throw new TypeError(`the handler of ${context.method} must return an object, not ${typeof result}`);
    let finished: object = result;
    if (JSON_TEXT in finished) return finished;
    const { method, row, client } = context;
    const { side } = client;
    // The result of a stream of changes is the server's own.
    if (method !== SUBSCRIPTIONS_LISTEN)
      reportReservedMeta(this.options, method, (finished as { _meta?: unknown })._meta, side.profile);
    if (method === COMPLETION_COMPLETE) finished = limitCompletionValues(finished);
    if (row.added?.include(finished, client.capabilities)) return this.withResultType(side, finished);
    finished = this.#resultConverter.convert(side, method, finished);
    if (!side.receives.resultTag) return finished;
    return this.withResultType(side, row.cacheable ? this.#cacheHints.addTo(finished, context) : finished);
  }

  /** Adds the members of every stateless-era result: its type, and the server's name. @internal */
  withResultType(side: Side, result: object): object {
    const tag = side.receives.resultTag;
    if (!tag) return result;
    const { _meta } = result as { _meta?: Meta };
    const named = this.#serverInfoMeta && (_meta ? { ..._meta, ...this.#serverInfoMeta } : this.#serverInfoMeta);
    // Several times faster than spreading the result between other members.
    return Object.assign({ [tag.member]: tag.own }, result, named && { _meta: named });
  }

  /** The capabilities for clients of a revision: those of this server, and those of the extensions. @internal */
  capabilitiesIn(side: Side, isForPrincipal?: boolean): ServerCapabilities {
    return side.withExtensions?.(this.#capabilities, isForPrincipal) ?? this.#capabilities;
  }

  #isOffered({ capability }: ParamsDescriptor, side: Side): boolean {
    return !capability?.startsWith("server.") || hasCapability(this.capabilitiesIn(side, true), capability);
  }
}

function handle(context: ServerContext): unknown {
  if (context.resumes) return context.resumes.resume(context);
  return context.handler((context.params ?? {}) as never, context as never);
}

async function headerParamsBy(
  schemaOf: NonNullable<CoreServerOptions["toolInputSchema"]>,
  name: string,
  context: ServerContext,
): Promise<readonly HeaderParam[]> {
  const found = findHeaderParams(await schemaOf(name, context));
  // Clients do not call tools with invalid annotations over HTTP.
  return "params" in found ? found.params : [];
}

/** Like `handle`, but a handler that waits for input ends the request: `next()` returns what the client receives. */
function handleVisibly(context: ServerContext): unknown {
  const outcome = handle(context);
  if (context.resumes || context.session || !context.row.alternatives || !isPromiseLike(outcome)) return outcome;
  // A client without capabilities cannot be asked for input, so its requests end with their handlers.
  if (Object.keys(context.client.capabilities).length === 0) return outcome;
  return new Promise((resolve, reject) => {
    context.reply = { resolve, reject };
    const onEnd = (end: HandlerOutcome): void =>
      context.suspended ? context.suspended.onOutcome(end) : reply(context, end);
    outcome.then(
      (result) => onEnd({ result }),
      (error: unknown) => onEnd({ error }),
    );
  });
}
