import type { Conversions, ParamsDescriptor, RequestDescriptor, Side } from "@mcpwright/protocol/contract";
import {
  COMPLETION_COMPLETE,
  META_SERVER_INFO,
  type NOTIFICATIONS_INITIALIZED,
  type NOTIFICATIONS_ROOTS_LIST_CHANGED,
} from "@mcpwright/protocol/names";
import type { InputRequired } from "../ask/question.js";
import { type StateKey, StateSealer } from "../ask/seal.js";
import type {
  ClientNotifications,
  ClientRequests,
  Implementation,
  LoggingLevel,
  ServerCapabilities,
} from "../authoring.js";
import { hasCapability } from "../engine/capability.js";
import { assertImplementation } from "../engine/check-options.js";
import { MessageConverter } from "../engine/converted.js";
import { SdkError } from "../engine/errors.js";
import { JSON_TEXT, type Meta } from "../engine/json-rpc.js";
import { compose, type Middleware } from "../engine/middleware.js";
import type { ConnectionOptions } from "../engine/peer-options.js";
import { SwapRemoveSet } from "../engine/roster.js";
import { type MethodHandlers, DispatchTable, type ParamsInput } from "../engine/routes.js";
import type { Transport } from "../engine/transport.js";
import { handshakeHandlers } from "../handshake/handlers.js";
import { statelessHandlers } from "../per-request/handlers.js";
import { SuspendedCalls, type SuspensionOptions } from "../per-request/parking.js";
import { type CacheHint, checkCacheHint } from "./cache-hint.js";
import type { Change } from "./change.js";
import { limitCompletionValues } from "./completions.js";
import { ServerConnection } from "./connection.js";
import type { ServerContext } from "./context.js";
import { Revisions, warnMissingConversions } from "./revisions.js";

/** Remembers which `requestState` was used, for all processes that share the keys. */
export interface StateStore {
  /** Marks a state as used. Returns false when it was used before. `expiresAt`: when it may be forgotten, epoch milliseconds. */
  consume(id: string, expiresAt: number): boolean | Promise<boolean>;
}

export interface ServerOptions extends ConnectionOptions {
  /** What the server offers. Of features without a capability the methods do not exist. */
  readonly capabilities?: ServerCapabilities;
  /** How to use the server, for the client's model. */
  readonly instructions?: string;
  /** The least level that handshake-era clients get before they set one. Default `info`. */
  readonly logLevel?: LoggingLevel;
  /** Answer a handshake with a version that is not served with an error instead of with the newest. Default false. */
  readonly rejectUnknownVersions?: boolean;
  /** Name the server in every result of the stateless era. Default true. */
  readonly includeServerInfo?: boolean;
  /** Cache hints by method, for results that carry none. Default: not to be kept, private. */
  readonly cacheHints?: Readonly<Record<string, CacheHint>>;
  /** Milliseconds that the user gets for an answer, in the handshake era. Default 600,000. */
  readonly inputTimeoutMs?: number;
  /** Rounds of questions that one request may lead to. Default 10. */
  readonly maxRounds?: number;
  /** Keys that seal `requestState`: the first seals, all open. Default: one that lives as long as the process. */
  readonly stateKeys?: readonly StateKey[];
  /** Milliseconds that a `requestState` can be used. Default 900,000. */
  readonly stateTtlMs?: number;
  /** Refuses the second use of a `requestState`. Default: only that of a suspended handler is refused. */
  readonly stateStore?: StateStore;
  /** Bounds on handlers that wait for answers in the stateless era; `false`, for servers of many nodes: they may not wait. */
  readonly suspension?: SuspensionOptions | false;
  /** Wraps every request; the first is the outermost. */
  readonly middleware?: readonly Middleware<ServerContext>[];
}

export interface CoreServerOptions extends ServerOptions {
  /** The revisions to serve: `serverSide` of `@mcpwright/protocol/<revision>`. */
  readonly revisions: readonly Side[];
  /**
   * Makes of what handlers say, in the terms of this package's types, what clients of other revisions understand:
   * `conversions` of `@mcpwright/protocol/conversions`, or a choice of them. Default: nothing is converted, which `onerror` is told.
   */
  readonly conversions?: Conversions;
}

/** What the runtime adds to results may be left out. */
type HandlerResult<Result> = Result extends { resultType: "input_required" }
  ? InputRequired
  : { [Key in keyof Result as Key extends "resultType" | keyof CacheHint ? never : Key]: Result[Key] };

/**
 * Handlers of what clients send, by method, in the terms of this package's types. For another revision, or one of your own,
 * name its maps: `ServerHandlers<ClientRequests>`.
 */
export type ServerHandlers<Requests = ClientRequests, Notifications = ClientNotifications> = {
  readonly [Method in keyof Requests]?: Requests[Method] extends { params: infer Params; result: infer Result }
    ? (params: ParamsInput<Params>, context: ServerContext) => HandlerResult<Result> | Promise<HandlerResult<Result>>
    : never;
} & {
  readonly [Method in keyof Notifications]?: (params: Notifications[Method], context: NotificationContext) => unknown;
} & {
  /** Up to 2025-11-25. */
  readonly [NOTIFICATIONS_INITIALIZED]?: (params: object, context: NotificationContext) => unknown;
  /** Up to 2025-11-25. */
  readonly [NOTIFICATIONS_ROOTS_LIST_CHANGED]?: (params: object, context: NotificationContext) => unknown;
};

/** What the handler of a notification has: no request, so it asks the client by `connection.request`. */
export type NotificationContext = Pick<ServerContext, "connection" | "session" | "signal" | "notify">;

/**
 * The low-level server: handlers by method, for all connections alike. One server serves any number of connections, in
 * every revision it was given.
 */
export class Server {
  readonly revisions: Revisions;
  readonly dispatchTable: DispatchTable;
  /** @internal */
  readonly openConnections = new SwapRemoveSet<ServerConnection>();
  /** The connections that are open. */
  readonly connections: Iterable<ServerConnection> & { readonly size: number } = this.openConnections;
  readonly sealer: StateSealer;
  readonly suspendedCalls: SuspendedCalls | undefined;
  readonly maxRounds: number;
  readonly stateTtlMs: number;
  /** Questions for clients of other revisions. */
  readonly inputRequestConverter: MessageConverter;
  readonly #resultConverter: MessageConverter;
  readonly #serverInfoMeta: Meta | undefined;
  #capabilities: ServerCapabilities;
  #pendingChanges: Map<string, Change> | undefined;
  #dispatch: (context: ServerContext) => unknown;

  /** @throws SdkError `INVALID_CONFIGURATION` when `info`, revisions, state keys, cache hints or numbers cannot be used */
  constructor(
    readonly info: Implementation,
    readonly options: CoreServerOptions,
  ) {
    assertImplementation(info, options, options.limits, options.keepAlive, options.suspension);
    this.revisions = new Revisions(options.revisions, "server");
    for (const [method, hint] of Object.entries(options.cacheHints ?? {})) checkCacheHint(method, hint);
    this.#capabilities = options.capabilities ?? {};
    this.dispatchTable = new DispatchTable((row) => this.#isOffered(row));
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
    this.#dispatch = compose(options.middleware ?? [], handle);
  }

  get capabilities(): ServerCapabilities {
    return this.#capabilities;
  }

  /** Declares further capabilities. Clients that are connected already learn of them only in the stateless era. */
  registerCapabilities(capabilities: ServerCapabilities): void {
    const merged: Record<string, unknown> = { ...this.#capabilities };
    for (const [name, value] of Object.entries(capabilities))
      merged[name] = { ...(merged[name] as object | undefined), ...(value as object) };
    this.#capabilities = merged;
    this.dispatchTable.reset();
  }

  /**
   * Registers handlers by method, for all connections to come and those there are. Methods that are not of this package's
   * types need a map that has them: `handle<ServerHandlers<ClientRequests>>(…)`.
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` when a method needs a capability of the server that is not declared
   */
  handle<Known extends MethodHandlers = ServerHandlers>(handlers: NoInfer<Known>): void {
    for (const method of Object.keys(handlers)) {
      const side = this.revisions.all.find(({ receives }) => Object.hasOwn(receives.requests, method));
      const row = side?.receives.requests[method];
      if (row && !this.#isOffered(row))
        throw new SdkError(
          "CAPABILITY_NOT_SUPPORTED",
          `a handler of ${method} needs ${String(row.capability)} to be declared`,
        );
    }
    this.dispatchTable.add(handlers);
  }

  /** Opens a transport and serves the client behind it. */
  async connect(transport: Transport): Promise<ServerConnection> {
    const connection = new ServerConnection(this, transport);
    this.openConnections.add(connection);
    try {
      await connection.open();
    } catch (error) {
      this.openConnections.delete(connection);
      throw error;
    }
    return connection;
  }

  /** Serves the client behind a transport that needs no opening, at once. */
  accept(transport: Transport): ServerConnection {
    const connection = new ServerConnection(this, transport);
    this.openConnections.add(connection);
    connection.attach();
    return connection;
  }

  /** Ends all connections gracefully (see `ServerConnection.shutdown`). */
  async close(graceMs?: number): Promise<void> {
    await Promise.all([...this.openConnections].map((connection) => connection.shutdown(graceMs)));
  }

  /** Tells every client that wants to know. Changes of one tick are told once. */
  notifyChanged(change: Change): void {
    if (!this.#pendingChanges) {
      const changes = (this.#pendingChanges = new Map<string, Change>());
      queueMicrotask(() => {
        this.#pendingChanges = undefined;
        for (const connection of this.openConnections)
          for (const one of changes.values()) connection.notifyChanged(one);
      });
    }
    this.#pendingChanges.set(`${change.kind} ${change.uri ?? ""}`, change);
  }

  /** Runs the handler of a request, through the middleware. */
  dispatch(context: ServerContext): unknown {
    return this.#dispatch(context);
  }

  /** Makes of what a handler returned the result that the client's revision wants. */
  finishResult(context: ServerContext, result: unknown): object {
    if (typeof result !== "object" || result === null)
      throw new TypeError(`the handler of ${context.method} returned no object but ${typeof result}`);
    return this.finishResultOf(context.sender.side, context.row, context.method, result);
  }

  finishResultOf(side: Side, row: RequestDescriptor, method: string, result: object): object {
    if (JSON_TEXT in result) return result;
    if (method === COMPLETION_COMPLETE) result = limitCompletionValues(result);
    if (!side.receives.resultTag) return this.#resultConverter.convert(side, method, result);
    const hints = row.cacheable && (this.options.cacheHints?.[method] ?? notToBeKept);
    return this.withResultType(side, hints ? { ...hints, ...result } : result);
  }

  /** Adds what every result of the stateless era has: its kind, and who made it. */
  withResultType(side: Side, result: object): object {
    const tag = side.receives.resultTag;
    if (!tag) return result;
    const { _meta } = result as { _meta?: Meta };
    const named = this.#serverInfoMeta && (_meta ? { ..._meta, ...this.#serverInfoMeta } : this.#serverInfoMeta);
    // Several times as fast as to spread the result between other members.
    return Object.assign({ [tag.member]: tag.own }, result, named && { _meta: named });
  }

  #isOffered({ capability }: ParamsDescriptor): boolean {
    return !capability?.startsWith("server.") || hasCapability(this.#capabilities, capability);
  }
}

const notToBeKept: CacheHint = { ttlMs: 0, cacheScope: "private" };

function handle(context: ServerContext): unknown {
  return context.handler((context.params ?? {}) as never, context as never);
}
