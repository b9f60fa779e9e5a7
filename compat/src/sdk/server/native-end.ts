import type { Side } from "@mcpwright/protocol/contract";
import { serverSides } from "@mcpwright/protocol/server-sides";
import {
  Server as NativeServer,
  type MethodHandlers,
  type ServerConnection,
  type ServerContext as NativeContext,
} from "@mcpwright/runtime/server";
import { toResponseError } from "../../shared/protocol.js";
import type {
  Implementation,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  Notification,
  ServerCapabilities,
} from "../messages.js";
import { FALLBACK_METHOD, wrapRequest, wrappedRequest } from "../../shared/fallback-requests.js";
import { isPromiseLike } from "../../shared/is-promise-like.js";
import { OpenSides, withNeeds } from "../../shared/open-sides.js";
import { TransportBridge } from "../../shared/transport-bridge.js";
import { NamedRequest } from "../shared/named-request.js";
import type { NativeConnection, NativeEnd, NativeRequest } from "../shared/protocol-types.js";
import type { MessageExtraInfo, Transport } from "../shared/transport.js";

/** The revisions that begin with a handshake: version 1 of the official SDK has no others. */
const sides = new OpenSides(
  serverSides.filter(({ profile }) => profile.opening === "handshake").map((side) => withNeeds(side, () => null)),
);

/** Methods that the runtime handles. */
const nativeRequests = ["initialize", "ping"];
const nativeNotifications = ["notifications/cancelled", "notifications/progress", "notifications/initialized"];

/** What a server does for its side of the runtime. */
export interface ServerEndOwner {
  readonly initialized: () => void;
  readonly closed: () => void;
  readonly failed: (error: Error) => void;
  readonly fallbackRequest: () => ((native: NativeRequest) => unknown) | undefined;
  readonly fallbackNotification: () => ((notification: Notification) => unknown) | undefined;
}

interface ClientDescription {
  readonly capabilities: object;
  readonly info: Implementation | undefined;
}

/** The runtime's server behind a server of version 1. It has one connection at a time. */
export class ServerEnd implements NativeEnd {
  readonly #native: NativeServer<readonly Side[]>;
  readonly #owner: ServerEndOwner;
  #handlesFallback = false;
  /** Handlers are added to the runtime when all capabilities are known. */
  readonly #requests = new Map<string, (native: NativeRequest) => unknown>();
  readonly #notifications = new Set<string>();
  #connection: ServerConnection | undefined;
  #isAssumed = false;
  /** The client of the last connection, which programs may ask for when it has ended. */
  #lastClient: ClientDescription | undefined;

  constructor(
    info: Implementation,
    options: { readonly capabilities?: ServerCapabilities | undefined; readonly instructions?: string | undefined },
    owner: ServerEndOwner,
  ) {
    const { capabilities = {}, instructions } = options;
    this.#owner = owner;
    this.#native = new NativeServer<readonly Side[]>(info as never, {
      revisions: sides.select(),
      // The official SDK sends what a handler returns to clients of all revisions.
      conversions: { between: () => () => undefined },
      capabilities: capabilities as never,
      ...(instructions !== undefined && { instructions }),
      logLevel: "debug",
      onerror: owner.failed,
    });
    this.#native.handle<MethodHandlers>({ "notifications/initialized": () => owner.initialized() });
  }

  get connection(): NativeConnection | undefined {
    return this.#connection;
  }

  get capabilities(): ServerCapabilities {
    return this.#native.capabilities;
  }

  registerCapabilities(capabilities: ServerCapabilities): void {
    this.#native.registerCapabilities(capabilities as never);
  }

  /** The client, once it has described itself. */
  get client(): ClientDescription | undefined {
    return (this.#isAssumed ? undefined : this.#connection?.session) ?? this.#lastClient;
  }

  async open(transport: Transport): Promise<void> {
    for (const [method, handler] of this.#requests) this.#add(method, handler);
    this.#isAssumed = false;
    const bridge: TransportBridge = new TransportBridge(transport, {
      intercept: (message, extra) => this.#intercept(bridge, message, extra),
      closed: () => {
        if (this.client) this.#lastClient = { capabilities: this.client.capabilities, info: this.client.info };
        this.#connection = undefined;
        this.#owner.closed();
      },
      failed: this.#owner.failed,
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
    const { method } = message;
    if (!("id" in message)) return this.#interceptNotification(message);
    if (nativeRequests.includes(method)) return message;
    const isHandled = this.#requests.has(method);
    if (!isHandled && !this.#owner.fallbackRequest()) {
      bridge.refuse(message.id);
      return undefined;
    }
    if (!this.#connection?.session) this.#assumeSession(extra);
    return isHandled ? message : this.#wrap(message);
  }

  #interceptNotification(message: JSONRPCNotification): JSONRPCMessage | undefined {
    const { method } = message;
    if (this.#notifications.has(method) || nativeNotifications.includes(method)) return message;
    const fallback = this.#owner.fallbackNotification();
    if (fallback)
      Promise.resolve()
        .then(() => fallback(message))
        .catch(this.#owner.failed);
    return undefined;
  }

  /** Clients without a session, as of a server that is made for one HTTP request, are served all the same. */
  #assumeSession(extra: MessageExtraInfo | undefined): void {
    const { handshake } = this.#native.revisions;
    const named = extra?.requestInfo?.headers["mcp-protocol-version"];
    const side = handshake.find(({ revision }) => revision === named) ?? handshake[0];
    if (!side) return;
    this.#isAssumed = true;
    this.#connection?.openAssumedSession(side);
  }

  /** Wraps a request for `fallbackRequestHandler`. */
  #wrap(request: JSONRPCRequest): JSONRPCRequest {
    if (!this.#handlesFallback) {
      this.#handlesFallback = true;
      this.#add(FALLBACK_METHOD, (native) => this.#owner.fallbackRequest()?.(unwrapped(native)));
    }
    return wrapRequest(request);
  }

  hasHandler(method: string): boolean {
    return this.#requests.has(method) || nativeRequests.includes(method);
  }

  handleRequest(method: string, handler: ((native: NativeRequest) => unknown) | undefined): void {
    if (method === "initialize")
      throw new Error(
        "A server cannot handle initialize: use oninitialized, getClientVersion() and getClientCapabilities()",
      );
    if (!handler) return void this.#requests.delete(method);
    this.#requests.set(method, handler);
    if (this.#connection) this.#add(method, handler);
  }

  #add(method: string, handler: (native: NativeRequest) => unknown): void {
    sides.addRequest(method);
    const run = (_params: object, native: NativeContext): unknown => {
      try {
        const outcome = handler(native);
        return isPromiseLike(outcome) ? outcome.then(undefined, rejectWithResponse) : outcome;
      } catch (error) {
        throw toResponseError(error);
      }
    };
    this.#native.handle<MethodHandlers>({ [method]: run });
  }

  handleNotification(method: string, handler: ((params: object | undefined) => unknown) | undefined): void {
    sides.addNotification(method);
    if (handler) this.#notifications.add(method);
    else this.#notifications.delete(method);
    this.#native.handle<MethodHandlers>({ [method]: (params: object) => handler?.(params) });
  }

  prepareRequest(method: string): void {
    sides.addSentRequest(method);
  }

  prepareNotification(method: string): void {
    sides.addNotification(method);
  }
}

/** The request in a wrapped one. */
function unwrapped(native: NativeRequest): NativeRequest {
  const { requestId, params, principal } = native;
  const { method, params: own } = wrappedRequest(params);
  return new NamedRequest(native, requestId, method, own, principal);
}

function rejectWithResponse(error: unknown): never {
  throw toResponseError(error);
}
