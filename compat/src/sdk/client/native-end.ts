import type { ReceivedRequest } from "../../client/handler-context.js";
import { NativeBackedClient } from "../../client/native-backed-client.js";
import type { ClientCapabilities, Implementation, Notification, ServerCapabilities } from "../messages.js";
import { NamedRequest } from "../shared/named-request.js";
import type { NativeConnection, NativeEnd, NativeRequest, RequestOptions } from "../shared/protocol-types.js";
import type { Transport } from "../shared/transport.js";

/** What a client does for its side of the runtime. */
export interface ClientEndOwner {
  readonly closed: () => void;
  readonly failed: (error: Error) => void;
  readonly fallbackRequest: () => ((native: NativeRequest) => unknown) | undefined;
  readonly fallbackNotification: () => ((notification: Notification) => Promise<void>) | undefined;
}

/** The client of 2.x, with members for its owner. */
class OpenClient extends NativeBackedClient {
  get opened(): NativeBackedClient["connection"] {
    return this.connection;
  }

  onRequest(method: string, handle: (native: NativeRequest) => unknown): void {
    this.handleRequest(method, (params, received) => {
      const { native } = received as ReceivedRequest;
      return handle(new NamedRequest(native, native.requestId ?? 0, method, params as never));
    });
  }

  onNotification(method: string, handle: (params: object) => unknown): void {
    this.handleNotification(method, handle);
  }

  prepare(method: string, kind: "request" | "notification"): void {
    if (kind === "request") this.prepareRequest(method);
    else this.prepareNotification(method);
  }
}

interface ServerDescription {
  readonly capabilities: ServerCapabilities | undefined;
  readonly info: Implementation | undefined;
  readonly instructions: string | undefined;
}

const noServer: ServerDescription = { capabilities: undefined, info: undefined, instructions: undefined };

/** The client of 2.x behind a client of version 1, with the revisions that begin with a handshake. */
export class ClientEnd implements NativeEnd {
  readonly #client: OpenClient;
  readonly #methods = new Set<string>(["ping"]);
  /** The server of the last connection, which programs may ask for when it has ended. */
  #lastServer: ServerDescription = noServer;
  /** Options of the handshake. */
  connectOptions: RequestOptions | undefined;

  constructor(
    info: Implementation,
    options: {
      readonly capabilities?: ClientCapabilities | undefined;
      readonly enforceStrictCapabilities?: boolean | undefined;
    },
    readonly owner: ClientEndOwner,
  ) {
    const { capabilities = {}, enforceStrictCapabilities = false } = options;
    this.#client = new OpenClient(info, {
      capabilities: capabilities as never,
      enforceStrictCapabilities,
      versionNegotiation: { mode: "legacy" },
    });
    this.#client.onclose = owner.closed;
    this.#client.onerror = owner.failed;
  }

  get connection(): NativeConnection | undefined {
    return this.#client.opened;
  }

  get server(): ServerDescription {
    const client = this.#client.opened?.client;
    if (!client) return this.#lastServer;
    return {
      capabilities: client.getServerCapabilities(),
      info: client.getServerVersion(),
      instructions: client.getInstructions(),
    };
  }

  registerCapabilities(capabilities: ClientCapabilities): void {
    this.#client.registerCapabilities(capabilities as never);
  }

  async open(transport: Transport): Promise<void> {
    this.#useFallbacks();
    await this.#client.connect(transport, this.connectOptions ?? {});
    this.#lastServer = this.server;
  }

  /** The client of 2.x asks for these functions with each message. */
  #useFallbacks(): void {
    const { owner } = this;
    Object.defineProperties(this.#client, {
      fallbackRequestHandler: { configurable: true, get: () => toFallback(owner.fallbackRequest()) },
      fallbackNotificationHandler: { configurable: true, get: owner.fallbackNotification },
    });
  }

  hasHandler(method: string): boolean {
    return this.#methods.has(method);
  }

  handleRequest(method: string, handler: ((native: NativeRequest) => unknown) | undefined): void {
    if (!handler) {
      this.#methods.delete(method);
      this.#client.removeRequestHandler(method);
      return;
    }
    this.#methods.add(method);
    this.#client.onRequest(method, handler);
  }

  handleNotification(method: string, handler: ((params: object | undefined) => unknown) | undefined): void {
    if (handler) this.#client.onNotification(method, handler);
    else this.#client.removeNotificationHandler(method);
  }

  prepareRequest(method: string): void {
    this.#client.prepare(method, "request");
  }

  prepareNotification(method: string): void {
    this.#client.prepare(method, "notification");
  }
}

interface FallbackRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params?: Record<string, unknown>;
}

function toFallback(fallback: ((native: NativeRequest) => unknown) | undefined): unknown {
  if (!fallback) return undefined;
  return (request: FallbackRequest, { mcpReq }: { readonly mcpReq: { readonly signal: AbortSignal } }) => {
    const { id: requestId, method, params } = request;
    return Promise.resolve(fallback({ requestId, method, params, signal: mcpReq.signal }));
  };
}
