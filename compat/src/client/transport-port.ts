import { SdkError } from "@mcpwright/runtime/errors";
import type {
  JSONRPCMessage as NativeMessage,
  Transport as NativeTransport,
  TransportSendOptions,
} from "@mcpwright/runtime";
import type {
  InitializeResult,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
} from "../types/index.js";
import type { TransportSendOptions as OfficialSendOptions, Transport } from "../shared/transport.js";

/** The transports of the runtime under those of this package. */
const natives = new WeakMap<Transport, NativeTransport>();

/** Connects the callbacks of a transport of this package with the one of the runtime that it wraps. */
export function carry(transport: Transport, native: NativeTransport): void {
  natives.set(transport, native);
  // The runtime learns why a channel has ended; programs ignore the argument.
  native.onclose = (error) => (transport.onclose as NativeTransport["onclose"])?.(error);
  native.onerror = (error, received) => (transport.onerror as NativeTransport["onerror"])?.(error, received);
  native.onmessage = (message, extra) => (transport.onmessage as NativeTransport["onmessage"])?.(message, extra);
}

/** Takes a message from the runtime, and returns whether it did. */
export type Interceptor = (message: JSONRPCRequest | JSONRPCNotification) => boolean;

/** The messages that the runtime has not to send, and their options that only transports know. */
export interface PortHooks {
  readonly onReceived: Interceptor;
  /** Called when the transport opens: again, if the runtime opens one anew that has closed. */
  readonly onStarted: () => void;
  /** Called when the transport has closed. */
  readonly onClosed: () => void;
  /** The options of the request that is being sent. */
  readonly optionsOf: (message: NativeMessage) => OfficialSendOptions | undefined;
}

/** A transport as the runtime sees it. Callbacks that the program has set before are called first. */
export class TransportPort implements NativeTransport {
  onmessage?: NativeTransport["onmessage"];
  onerror?: NativeTransport["onerror"];
  onclose?: NativeTransport["onclose"];
  readonly alwaysAnswers?: true;
  readonly cancelRequest?: (id: RequestId) => void;
  readonly checkTool?: (tool: unknown) => string | undefined;
  readonly #native: NativeTransport | undefined;
  readonly #streams = new Map<RequestId, AbortController>();
  /** Whether the callbacks of the transport are those of this connection. */
  #isWired = false;

  /** @param resumed the handshake of the session that the transport continues, which is not repeated until that session is lost */
  constructor(
    readonly official: Transport,
    readonly hooks: PortHooks,
    public resumed: Partial<InitializeResult> | undefined,
  ) {
    const native = (this.#native = natives.get(official));
    if (native?.alwaysAnswers) this.alwaysAnswers = true;
    if (native?.checkTool) this.checkTool = (tool) => native.checkTool?.(tool);
    if (native?.cancelRequest) this.cancelRequest = (id) => native.cancelRequest?.(id);
    else if (official.hasPerRequestStream) this.cancelRequest = (id) => this.#cancel(id);
  }

  get sessionId(): string | undefined {
    return this.official.sessionId;
  }

  set onwait(hook: NativeTransport["onwait"]) {
    if (this.#native) this.#native.onwait = hook;
  }

  set ongap(hook: NativeTransport["ongap"]) {
    if (this.#native) this.#native.ongap = hook;
  }

  /** Called again after the transport has closed, when the runtime opens it anew. */
  start(): Promise<void> {
    if (!this.#isWired) this.#wire();
    this.hooks.onStarted();
    return this.official.start();
  }

  #wire(): void {
    this.#isWired = true;
    const { official, hooks } = this;
    const { onclose, onerror, onmessage } = official;
    official.onclose = (error?: Error) => {
      // A transport that is connected again must not call the callbacks of this connection.
      Object.assign(official, { onclose, onerror, onmessage });
      this.#isWired = false;
      this.resumed = undefined;
      this.#streams.clear();
      hooks.onClosed();
      onclose?.();
      this.onclose?.(error);
    };
    official.onerror = (error: Error, received?: unknown) => {
      onerror?.(error);
      this.onerror?.(error, received);
    };
    official.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
      onmessage?.(message, extra);
      if (!("method" in message)) this.#streams.delete(message.id ?? "");
      else if (hooks.onReceived(message)) return;
      this.onmessage?.(message, extra as never);
    };
  }

  async send(message: NativeMessage | readonly NativeMessage[], options?: TransportSendOptions): Promise<void> {
    try {
      if (Array.isArray(message)) for (const one of message) await this.#sendOne(one as NativeMessage, options);
      else await this.#sendOne(message as NativeMessage, options);
    } catch (error) {
      // The runtime knows its own errors.
      const { cause } = Object(error) as { readonly cause?: unknown };
      throw cause instanceof SdkError ? cause : error;
    }
  }

  #sendOne(message: NativeMessage, options: TransportSendOptions | undefined): Promise<void> {
    if (this.resumed && this.#isHandshake(message as JSONRPCMessage, this.resumed)) return Promise.resolve();
    const own = this.hooks.optionsOf(message);
    if (!this.official.hasPerRequestStream || this.#native)
      return this.official.send(message as JSONRPCMessage, own ? { ...own, ...options } : options);
    const { id, method } = message as Partial<JSONRPCRequest>;
    if (id === undefined || method === undefined)
      return this.official.send(message as JSONRPCMessage, { ...own, ...options });
    const controller = new AbortController();
    this.#streams.set(id, controller);
    const sent = this.official.send(message as JSONRPCMessage, {
      ...own,
      ...options,
      requestSignal: controller.signal,
    });
    return sent.catch((error: unknown) => {
      this.#streams.delete(id);
      throw error;
    });
  }

  #cancel(id: RequestId): void {
    this.#streams.get(id)?.abort();
    this.#streams.delete(id);
  }

  /** Responds to a handshake in the place of the server. */
  #isHandshake(message: JSONRPCMessage, resumed: Partial<InitializeResult>): boolean {
    const { id, method } = message as JSONRPCRequest;
    if (method === "initialize") {
      const unknown = { protocolVersion: "2025-03-26", capabilities: {}, serverInfo: { name: "", version: "" } };
      queueMicrotask(() => this.onmessage?.({ jsonrpc: "2.0", id, result: { ...unknown, ...resumed } }));
    }
    return method === "initialize" || method === "notifications/initialized";
  }

  async close(): Promise<void> {
    await this.official.close();
  }

  setRevision(side: Parameters<NonNullable<NativeTransport["setRevision"]>>[0]): void {
    this.#native?.setRevision?.(side);
  }

  setProtocolVersion(version: string): void {
    this.official.setProtocolVersion?.(version);
  }

  cacheIdentity(): unknown {
    return this.#native?.cacheIdentity?.();
  }
}
