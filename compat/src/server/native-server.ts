import type { Side } from "@mcpwright/protocol/contract";
import {
  INITIALIZE,
  LOGGING_SET_LEVEL,
  NOTIFICATIONS_CANCELLED,
  NOTIFICATIONS_INITIALIZED,
  NOTIFICATIONS_PROGRESS,
  PING,
  SERVER_DISCOVER,
  SUBSCRIPTIONS_LISTEN,
} from "@mcpwright/protocol/names";
import { serverSides } from "@mcpwright/protocol/server-sides";
import {
  eraOf,
  Server as NativeServer,
  type MethodHandlers,
  type ServerConnection,
  type ServerContext as NativeContext,
} from "@mcpwright/runtime/server";
import { ProtocolError, ProtocolErrorCode, toOfficialError } from "../shared/errors.js";
import type { ServerContext } from "../shared/contexts.js";
import type {
  Implementation,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  MessageExtraInfo,
} from "../types/index.js";
import { FALLBACK_METHOD, wrapRequest, wrappedRequest } from "../shared/fallback-requests.js";
import { isPromiseLike } from "../shared/is-promise-like.js";
import { OpenSides, withNeeds } from "../shared/open-sides.js";
import { type NativeConnection, type NativeHandler, Protocol, toResponseError } from "../shared/protocol.js";
import type { Transport } from "../shared/transport.js";
import { TransportBridge } from "../shared/transport-bridge.js";
import { type ContextOwner, HandlerContext, setVerifiedState } from "./handler-context.js";
import type { ServerOptions } from "./server-options.js";

const handshakeSides = serverSides.filter(({ profile }) => profile.opening === "handshake");
/** Of a capability such as `server.resources.subscribe`, handlers need the first part. */
const sides = new OpenSides(
  serverSides.map((side) =>
    handshakeSides.includes(side) ? withNeeds(side, (path) => path.split(".", 2).join(".")) : side,
  ),
);

/** Methods that the runtime handles for programs that do not; only the first two do not need a session. */
const ownMethods = [INITIALIZE, PING, SERVER_DISCOVER, SUBSCRIPTIONS_LISTEN];
const ownNotifications = [NOTIFICATIONS_CANCELLED, NOTIFICATIONS_INITIALIZED, NOTIFICATIONS_PROGRESS];

type ServerClient = NativeContext["client"];

/** The contexts of servers that verify the state of requests. One map for all servers: a map for each would cost more than the server. */
const verifiedContexts = new WeakMap<NativeContext, HandlerContext>();

/** The part of a server that joins it to the runtime. A server has one connection. */
export abstract class NativeBackedServer extends Protocol<ServerContext> {
  /** Called when the client has sent `notifications/initialized`. */
  oninitialized?: () => void;
  /** Returns the schema of a tool's arguments, which HTTP headers may repeat. @internal */
  toolInputSchema?: (name: string) => object | undefined;
  readonly #native: NativeServer<readonly Side[]>;
  readonly #options: ServerOptions;
  #connection: ServerConnection | undefined;
  #latest: NativeContext | undefined;
  #lastClient: ServerClient | undefined;
  /** The notifications that the program handles. */
  readonly #notified = new Set<string>();
  #handlesFallback = false;

  constructor(
    protected readonly serverInfo: Implementation,
    options: ServerOptions = {},
  ) {
    super(options);
    this.#options = options;
    const { capabilities = {}, instructions, cacheHints, supportedProtocolVersions } = options;
    const { maxRounds = 8, roundTimeoutMs = 600_000 } = options.inputRequired ?? {};
    this.#native = new NativeServer<readonly Side[]>(serverInfo as never, {
      revisions: sides.select(supportedProtocolVersions),
      conversions: sides.conversions,
      capabilities: { ...capabilities } as never,
      ...(instructions !== undefined && { instructions }),
      ...(cacheHints && { cacheHints: cacheHints as never }),
      suspension: false,
      logLevel: "debug",
      maxRounds,
      inputTimeoutMs: roundTimeoutMs,
      toolInputSchema: (name) => this.toolInputSchema?.(name) ?? {},
      onerror: (error) => this.onerror?.(error),
    });
    const native = this.#native;
    native.handle<MethodHandlers>({
      [NOTIFICATIONS_INITIALIZED]: () => this.oninitialized?.(),
      // Versions with a handshake are not named: `initialize` agrees on them.
      [SERVER_DISCOVER]: () => ({
        supportedVersions: [...native.revisions.stateless.keys()],
        capabilities: native.capabilities,
        instructions,
      }),
    });
  }

  protected get options(): ServerOptions {
    return this.#options;
  }

  /** The request that was handled last. */
  protected get latest(): NativeContext | undefined {
    return this.#latest;
  }

  /** The client of the session, or of the latest request; when the connection has ended, that of the last one. */
  protected get client(): ServerClient | undefined {
    return this.#connection?.session ?? this.#latest?.client ?? this.#lastClient;
  }

  /** The open connection over a transport that the program has connected. */
  protected get opened(): ServerConnection | undefined {
    return this.#connection;
  }

  /** The server of the runtime. @internal */
  get native(): NativeServer<readonly Side[]> {
    return this.#native;
  }

  protected override get connection(): NativeConnection | undefined {
    return this.#connection ?? this.#latest?.connection;
  }

  protected override async open(transport: Transport): Promise<void> {
    const handshake = this.#native.revisions.handshake.map(({ revision }) => revision);
    transport.setSupportedProtocolVersions?.(this.#options.supportedProtocolVersions ?? handshake);
    if ("servesStateless" in transport) this.servesStateless = transport.servesStateless === true;
    const bridge: TransportBridge = new TransportBridge(transport, {
      intercept: (message, extra) => this.#intercept(bridge, message, extra),
      closed: () => {
        this.#lastClient = this.client;
        this.#connection = this.#latest = undefined;
        this.onTransportClosed();
      },
      failed: (error) => this.onerror?.(error),
    });
    this.#connection = await this.#native.connect(bridge);
  }

  /** Prepares the connection for a message, or responds to it. Returns what the connection gets. */
  #intercept(
    bridge: TransportBridge,
    message: JSONRPCMessage,
    extra: MessageExtraInfo | undefined,
  ): JSONRPCMessage | undefined {
    if (!("method" in message)) return message;
    if (!("id" in message)) return this.#interceptNotification(message);
    const { method } = message;
    const isHandled = this.handles(method) || this.#isOwn(method);
    const hasFallback = !isHandled && this.fallbackRequestHandler !== undefined;
    if (!this.servesStateless) {
      if (!(isHandled || hasFallback || this.#isDeclared(method)) || this.#isOfOtherEra(message)) {
        bridge.refuse(message.id);
        return undefined;
      }
      if (!this.#connection?.session && method !== INITIALIZE && method !== PING) this.#assumeSession(extra);
    }
    return hasFallback ? this.#wrap(message) : message;
  }

  /** Whether the runtime handles a request as the official SDK does: not in place of `fallbackRequestHandler`. */
  #isOwn(method: string): boolean {
    return (
      ownMethods.includes(method) || (method === LOGGING_SET_LEVEL && this.#native.capabilities.logging !== undefined)
    );
  }

  /** Whether a request has another era than the session. A client that probes begins a handshake after the error. */
  #isOfOtherEra(request: JSONRPCRequest): boolean {
    const { method } = request;
    const { handshake } = this.#native.revisions;
    return (
      eraOf(request) === "stateless" ||
      (sides.isKnown(method) && !handshake.some(({ receives }) => Object.hasOwn(receives.requests, method)))
    );
  }

  /** Programs may send requests without a handshake. */
  #assumeSession(extra: MessageExtraInfo | undefined): void {
    const { handshake } = this.#native.revisions;
    const named = extra?.request?.headers.get("mcp-protocol-version");
    const side = handshake.find(({ revision }) => revision === named) ?? handshake[0];
    if (side) this.#connection?.openAssumedSession(side);
  }

  /** Whether the capability for a request of the protocol is declared: the runtime has handlers of its own. */
  #isDeclared(method: string): boolean {
    const side = handshakeSides.find(({ receives }) => Object.hasOwn(receives.requests, method));
    if (!side) return false;
    const [, ...path] = side.receives.requests[method]?.capability?.split(".") ?? [];
    let declared: unknown = this.#native.capabilities;
    for (const name of path) declared = (declared as Record<string, unknown> | undefined)?.[name];
    return declared !== undefined && declared !== false;
  }

  /** Whether requests that describe their client themselves are served: not over a transport that a program connects. @internal */
  servesStateless = false;
  /** Whether the server was made for one request. @internal */
  isPerRequest = false;

  /** Wraps a request for `fallbackRequestHandler`. */
  #wrap(message: JSONRPCRequest): JSONRPCRequest {
    if (!this.#handlesFallback) {
      this.#handlesFallback = true;
      this.handleRequest(FALLBACK_METHOD, (params, native) => {
        const { requestId: id } = native as NativeContext;
        const request = wrappedRequest(params);
        const context = new HandlerContext(native as NativeContext, this.#owner, request.method);
        return this.fallbackRequestHandler?.({ jsonrpc: "2.0", id, ...request }, context);
      });
    }
    return wrapRequest(message);
  }

  #interceptNotification(message: JSONRPCNotification): JSONRPCMessage | undefined {
    const { method } = message;
    const fallback = this.fallbackNotificationHandler;
    if (!fallback || this.#notified.has(method) || ownNotifications.includes(method)) return message;
    Promise.resolve()
      .then(() => fallback({ method, ...(message.params && { params: message.params }) }))
      .catch((error: unknown) =>
        this.onerror?.(new Error(`Uncaught error in notification handler: ${String(error)}`, { cause: error })),
      );
    return undefined;
  }

  protected override handleRequest(method: string, handler: NativeHandler): void {
    sides.addRequest(method);
    const verify = this.#options.requestState?.verify;
    const run = (params: object, native: NativeContext): unknown => {
      const { requestState } = native;
      return verify && typeof requestState === "string"
        ? this.#verified(verify, requestState, native).then(() => handler(params, native))
        : handler(params, native);
    };
    this.#native.handle<MethodHandlers>({
      [method]: (params: object, native: NativeContext) => {
        this.#latest = native;
        try {
          const outcome = run(params, native);
          if (!isPromiseLike(outcome)) return this.#checked(native, outcome);
          return outcome.then(
            (result) => this.#checked(native, result),
            (error: unknown) => {
              throw toResponseError(error);
            },
          );
        } catch (error) {
          throw toResponseError(error);
        }
      },
    });
  }

  /** @throws ProtocolError for a request of input that this client cannot get */
  #checked(native: NativeContext, result: unknown): unknown {
    const { legacyShim = true } = this.#options.inputRequired ?? {};
    if (legacyShim || !native.session || (result as { resultType?: unknown } | null)?.resultType !== "input_required")
      return result;
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      `Handler for ${native.method} returned an input-required result, but this request is served on protocol revision ${native.client.side.revision}, which has no input_required vocabulary`,
    );
  }

  async #verified(
    verify: (state: string, ctx: ServerContext) => unknown,
    state: string,
    native: NativeContext,
  ): Promise<void> {
    const context = this.toContext(native);
    try {
      const value = await verify(state, context);
      if (value !== undefined) setVerifiedState(context, value);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.onerror?.(new Error(`requestState verification rejected ${native.method}: ${problem}`));
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
        reason: "invalid_request_state",
      });
    }
  }

  protected override handleNotification(method: string, handler: NativeHandler | undefined): void {
    sides.addNotification(method);
    if (handler) this.#notified.add(method);
    else this.#notified.delete(method);
    this.#native.handle<MethodHandlers>({
      [method]: (params: object, native: object) => {
        if (method === NOTIFICATIONS_INITIALIZED) this.oninitialized?.();
        return handler?.(params, native);
      },
    });
  }

  protected override prepareRequest(method: string): void {
    sides.addSentRequest(method);
  }

  protected override prepareNotification(method: string): void {
    sides.addNotification(method);
  }

  protected override acceptsResult(method: string, result: unknown): boolean {
    const side = this.#connection?.session?.side ?? this.#latest?.client.side;
    return side?.receives.results[method]?.result(result) ?? true;
  }

  protected override toContext(native: object): HandlerContext {
    const one = native as NativeContext;
    if (!this.#options.requestState) return new HandlerContext(one, this.#owner);
    // The verified state belongs to the request.
    let context = verifiedContexts.get(one);
    if (!context) verifiedContexts.set(one, (context = new HandlerContext(one, this.#owner)));
    return context;
  }

  readonly #owner: ContextOwner = {
    hasLogging: () => this.#native.capabilities.logging !== undefined,
    send: (native, request, rest) => {
      this.#latest = native;
      return this.send(request, native.requestId, rest);
    },
    notify: async (native, { method, params }) => {
      this.prepareNotification(method);
      try {
        await native.notify(method, params);
      } catch (error) {
        throw toOfficialError(error);
      }
    },
  };
}
