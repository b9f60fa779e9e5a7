import type { Client as NativeClient } from "@mcpwright/runtime/client/core";
import type { Side } from "@mcpwright/protocol/contract";
import { NOTIFICATIONS_CANCELLED } from "@mcpwright/protocol/names";
import type { ClientContext } from "../shared/contexts.js";
import { SdkError, SdkErrorCode, toOfficialError } from "../shared/errors.js";
import type {
  ClientCapabilities,
  Implementation,
  InitializeResult,
  JSONRPCNotification,
  JSONRPCRequest,
  Notification,
  RequestId,
  Result,
} from "../types/index.js";
import { mergeCapabilities } from "../types/capabilities.js";
import type { OpenSides } from "../shared/open-sides.js";
import { checkedResult, type NativeHandler, Protocol, toResponseError } from "../shared/protocol.js";
import { toRequestError } from "../shared/request-errors.js";
import { type RequestOptions, toCallOptions } from "../shared/request-options.js";
import { isStandardSchema } from "../shared/standard-schema.js";
import { clientCapabilityOf, missingHandlerCapability } from "../shared/needed-capabilities.js";
import type { Transport, TransportSendOptions } from "../shared/transport.js";
import { ConnectedServer } from "./connected-server.js";
import { FallbackRequests } from "./fallback-requests.js";
import { type ContextOwner, handlerContext, type ReceivedRequest } from "./handler-context.js";
import type { ClientOptions, ConnectOptions, VersionNegotiationOptions } from "./options.js";
import { openSides } from "./revisions.js";

/** The runtime handles these itself. */
const nativeMethods = ["ping", "notifications/progress"];

/** The part of a client that joins it to the runtime. */
export abstract class NativeBackedClient extends Protocol<ClientContext> {
  protected readonly options: ClientOptions;
  protected readonly sides: OpenSides;
  #capabilities: ClientCapabilities;
  #negotiation: VersionNegotiationOptions;
  #server: ConnectedServer | undefined;
  /** What a server has said that has ended the connection: programs may ask for it. */
  #lost: Partial<InitializeResult> = {};
  #connectOptions: ConnectOptions = {};
  /** The last handshake, for a transport that continues its session. */
  #handshake: Partial<InitializeResult> = {};
  readonly #requestHandlers = new Map<string, NativeHandler>();
  readonly #notificationHandlers = new Map<string, NativeHandler>();
  /** The notifications that the runtime passes on. */
  readonly #received = new Set<string>();
  readonly #fallbacks = new FallbackRequests((error) => this.onerror?.(error));
  /** Options of the request that is being sent, which only its transport knows. */
  #sending: TransportSendOptions | undefined;

  constructor(
    protected readonly clientInfo: Implementation,
    options: ClientOptions = {},
  ) {
    super(options);
    this.options = options;
    this.#capabilities = { ...options.capabilities };
    this.#negotiation = options.versionNegotiation ?? {};
    this.sides = openSides(options.enforceStrictCapabilities === true);
  }

  protected override get connection(): ConnectedServer | undefined {
    return this.#server;
  }

  /** The description of a server that has ended the connection. */
  protected get lost(): Partial<InitializeResult> {
    return this.#lost;
  }

  /** Adds capabilities. @throws Error when the client is connected */
  registerCapabilities(capabilities: ClientCapabilities): void {
    if (this.transport) throw new Error("Cannot register capabilities after connecting to transport");
    this.#capabilities = mergeCapabilities(this.#capabilities, capabilities);
  }

  /** Sets the option `versionNegotiation`. @throws Error when the client is connected */
  setVersionNegotiation(options: VersionNegotiationOptions | undefined): void {
    if (this.transport) throw new Error("Cannot configure version negotiation after connecting to transport");
    this.#negotiation = options ?? {};
  }

  /** Opens a transport and negotiates a revision with the server. */
  override connect(transport: Transport, options: ConnectOptions = {}): Promise<void> {
    this.#connectOptions = options;
    return super.connect(transport);
  }

  override async close(): Promise<void> {
    await super.close();
    this.#lost = {};
  }

  protected override async open(transport: Transport): Promise<void> {
    const { supportedProtocolVersions: supported, inputRequired } = this.options;
    this.#lost = {};
    transport.setSupportedProtocolVersions?.(supported ?? this.sides.select().map(({ revision }) => revision));
    const { protocolVersion } = transport as { readonly protocolVersion?: string };
    const ended = { isClosed: false };
    try {
      this.#server = await ConnectedServer.open(transport, this.#connectOptions, {
        info: this.clientInfo,
        capabilities: this.#capabilities,
        maxRounds: inputRequired?.maxRounds ?? 10,
        sides: this.sides,
        supported,
        negotiation: this.#negotiation,
        resumed: { ...this.#handshake, ...(protocolVersion !== undefined && { protocolVersion }) },
        hooks: {
          onReceived: (message) => this.#intercept(message),
          onStarted: () => (ended.isClosed = false),
          onClosed: () => (ended.isClosed = true),
          optionsOf: () => this.#sending,
        },
        onerror: (error) => this.onerror?.(toOfficialError(error) as Error),
        onclose: (error) => this.#closed(error),
        prepare: (client) => this.#registerAll(client),
      });
    } catch (error) {
      if (ended.isClosed) this.onTransportClosed();
      throw toRequestError(error, this.#connectOptions);
    }
    const { client } = this.#server;
    for (const method of this.#requestHandlers.keys())
      if (!clientCapabilityOf(method)) this.#registerRequest(client, method);
    this.#handshake = {
      protocolVersion: client.getNegotiatedProtocolVersion(),
      capabilities: client.getServerCapabilities(),
      serverInfo: client.getServerVersion(),
      instructions: client.getInstructions(),
    } as InitializeResult;
  }

  #closed(error: Error | undefined): void {
    // The runtime opens another session by itself.
    if (!this.#server || (error as { readonly code?: unknown } | undefined)?.code === "SESSION_LOST") return;
    this.#lost = this.#handshake;
    this.#server = undefined;
    this.onTransportClosed();
  }

  protected override onTransportClosed(): void {
    super.onTransportClosed();
    this.#fallbacks.cancelAll(new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed"));
  }

  /** @throws Error before `connect` and after the end, as the official SDK: not an `SdkError` */
  protected get server(): ConnectedServer {
    if (!this.#server) throw new Error("Not connected");
    return this.#server;
  }

  protected override async send(
    { method, params }: { readonly method: string; readonly params?: object | undefined },
    relatedTo: RequestId | undefined,
    [first, second]: readonly unknown[],
  ): Promise<unknown> {
    const schema = isStandardSchema(first) ? first : undefined;
    const options = (schema ? second : first) as RequestOptions | undefined;
    if (!this.sides.isKnown(method)) {
      if (!schema)
        throw new TypeError(
          `'${method}' is not a spec method; pass a result schema as the second argument to request().`,
        );
      this.sides.addSentRequest(method);
    }
    const result = await this.#sendNative(method, params, options, relatedTo);
    return schema ? checkedResult(method, schema, result) : result;
  }

  /** Sends a request of the protocol. */
  protected async call(
    method: string,
    params: object | undefined,
    options: RequestOptions | undefined,
  ): Promise<Result> {
    return this.#sendNative(method, params, options, undefined);
  }

  async #sendNative(
    method: string,
    params: object | undefined,
    options: RequestOptions | undefined,
    relatedTo: RequestId | undefined,
  ): Promise<Result> {
    const { server } = this;
    const allowInputRequired = options?.allowInputRequired === true;
    const isManual = allowInputRequired || this.options.inputRequired?.autoFulfill === false;
    const startedAt = performance.now();
    let result: Result;
    try {
      // The runtime sends the message before `request` returns.
      this.#sending = options?.onresumptiontoken || options?.resumptionToken || options?.headers ? options : undefined;
      const sent = server.request(method, params, {
        ...toCallOptions(options, relatedTo),
        ...(isManual && { allowInputRequired: true }),
      });
      this.#sending = undefined;
      result = await sent;
    } catch (error) {
      throw toRequestError(error, options, startedAt);
    }
    const { resultType, ...own } = result;
    if (resultType === undefined) return result;
    if (resultType !== "input_required") return own;
    if (allowInputRequired) return result;
    throw new SdkError(
      SdkErrorCode.UnsupportedResultType,
      `Unsupported result type 'input_required' for ${method}: pass allowInputRequired: true to handle it manually, or enable inputRequired.autoFulfill`,
      { resultType, method },
    );
  }

  #registerAll(client: NativeClient<readonly Side[]>): void {
    for (const method of this.#received) this.#registerNotification(client, method);
    for (const method of this.#requestHandlers.keys())
      if (clientCapabilityOf(method)) this.#registerRequest(client, method);
  }

  #registerNotification(client: NativeClient<readonly Side[]>, method: string): void {
    const handle = (params: object): unknown => this.deliver({ method, params: params as never });
    client.setNotificationHandler<Record<string, object>>(method, handle);
  }

  #registerRequest(client: NativeClient<readonly Side[]>, method: string): void {
    const handle = async (params: object, native: ReceivedRequest["native"]): Promise<never> => {
      try {
        return (await this.#requestHandlers.get(method)?.(params, { method, params, native })) as never;
      } catch (error) {
        // An error of a handler whose request came in a result is the error of the call.
        throw native.notify ? toResponseError(error) : error;
      }
    };
    if (clientCapabilityOf(method)) client.setRequestHandler(method as "roots/list", handle);
    else client.connection.handle({ [method]: handle });
  }

  protected override handleRequest(method: string, handler: NativeHandler): void {
    this.sides.addRequest(method);
    const isNew = !this.#requestHandlers.has(method);
    this.#requestHandlers.set(method, handler);
    if (isNew && this.#server) this.#registerRequest(this.#server.client, method);
  }

  protected override handleNotification(method: string, handler: NativeHandler | undefined): void {
    if (handler) this.#notificationHandlers.set(method, handler);
    else this.#notificationHandlers.delete(method);
    this.receiveNotification(method);
  }

  /** Has the runtime pass a notification on, also without a handler. */
  protected receiveNotification(method: string): void {
    if (this.#received.has(method)) return;
    this.#received.add(method);
    this.sides.addNotification(method);
    if (this.#server) this.#registerNotification(this.#server.client, method);
  }

  /** Passes a notification to its handler, or to the one for all others. */
  protected async deliver(notification: Notification): Promise<void> {
    const { method, params = {} } = notification;
    const handler = this.#notificationHandlers.get(method);
    try {
      await (handler ? handler(params, {}) : this.fallbackNotificationHandler?.(notification));
    } catch (error) {
      this.onerror?.(new Error(`Uncaught error in notification handler: ${String(error)}`, { cause: error }));
    }
  }

  /** Handles messages for the handlers of the program that handle everything else. */
  #intercept(message: JSONRPCRequest | JSONRPCNotification): boolean {
    const { method, params } = message;
    if (method === NOTIFICATIONS_CANCELLED) return this.#fallbacks.cancel(params?.["requestId"], params?.["reason"]);
    if (nativeMethods.includes(method)) return false;
    if ("id" in message) {
      const { fallbackRequestHandler: fallback, transport } = this;
      if (!fallback || !transport || this.#requestHandlers.has(method)) return false;
      this.#fallBack(message, fallback, transport);
      return true;
    }
    if (!this.fallbackNotificationHandler || this.#notificationHandlers.has(method)) return false;
    // Notifications of a subscription come from its stream.
    if (params?._meta?.["io.modelcontextprotocol/subscriptionId"] !== undefined) return false;
    void this.deliver(message);
    return true;
  }

  #fallBack(
    request: JSONRPCRequest,
    handler: NonNullable<NativeBackedClient["fallbackRequestHandler"]>,
    transport: Transport,
  ): void {
    const { id, method, params = {} } = request;
    const handle = (signal: AbortSignal): unknown =>
      handler(request, this.toContext({ method, params, native: { signal, requestId: id, notify: this.#notify } }));
    void this.#fallbacks.run(request, handle, (response) => transport.send(response));
  }

  readonly #notify = async (method: string, params?: object): Promise<void> => {
    await this.notification({ method, params: params as never });
  };

  protected override toContext(native: object): ClientContext {
    return handlerContext(native as ReceivedRequest, this.#owner);
  }

  readonly #owner = ((): ContextOwner => {
    const client = this as NativeBackedClient;
    return {
      get sessionId() {
        return client.transport?.sessionId;
      },
      send: (relatedTo) => ((request: never, ...rest: unknown[]) => client.send(request, relatedTo, rest)) as never,
      notify: (notification) => client.notification(notification),
    };
  })();

  protected override prepareRequest(method: string): void {
    this.sides.addSentRequest(method);
  }

  protected override prepareNotification(method: string): void {
    this.sides.addNotification(method);
  }

  /** The runtime has checked it. */
  protected override acceptsResult(): boolean {
    return true;
  }

  protected override assertNotificationCapability(method: string): void {
    if (method === "notifications/roots/list_changed" && !this.#capabilities.roots?.listChanged)
      throw new SdkError(
        SdkErrorCode.CapabilityNotSupported,
        `Client does not support roots list changed notifications (required for ${method})`,
      );
  }

  protected override assertRequestHandlerCapability(method: string): void {
    const problem = missingHandlerCapability(this.#capabilities, method);
    if (problem !== undefined) throw new SdkError(SdkErrorCode.CapabilityNotSupported, problem);
  }
}
