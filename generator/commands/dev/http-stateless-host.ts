import type { Side } from "@mcpwright/protocol/contract";
import {
  META_LOG_LEVEL,
  META_PROTOCOL_VERSION,
  META_SUBSCRIPTION_ID,
  NOTIFICATIONS_CANCELLED,
  NOTIFICATIONS_PROGRESS,
} from "@mcpwright/protocol/names";
import type { MessageExtra, Transport } from "@mcpwright/runtime";
import { ErrorCode, ProtocolError } from "@mcpwright/runtime/errors";
import type { HostedConnection } from "@mcpwright/runtime/server/http";
import {
  isRawRequest,
  isRawResponse,
  type JsonObject,
  messagesOf,
  objectAt,
  type RawRequest,
} from "./json-messages.js";
import type { Relay } from "./relay.js";
import type { HostConnection } from "./relay-host.js";

/** A request of an HTTP client, which has the connection of the relay for itself in the eyes of the client. */
interface Exchange {
  readonly transport: Transport;
  readonly request: RawRequest;
}

/**
 * All requests of HTTP clients without a session: one host of the relay. Clients choose their ids and progress tokens independently of each
 * other, so the server sees others.
 */
export class StatelessHost {
  #connection: HostConnection | undefined;
  /** The requests in flight by the id that the server sees. */
  readonly #exchanges = new Map<string, Exchange>();
  #count = 0;

  constructor(
    private readonly relay: Relay,
    private readonly sides: ReadonlyMap<string, Side>,
  ) {}

  /** Serves the request, or notification, of a transport. */
  accept(transport: Transport): HostedConnection {
    const close = (): Promise<void> => transport.close();
    Object.assign(transport, {
      onmessage: (message: unknown, extra?: MessageExtra) => this.#receive(transport, message, extra),
    });
    return {
      transport,
      session: undefined,
      openAssumedSession: () => undefined,
      restoreSession: () => false,
      notifyChanged: () => undefined,
      close,
      shutdown: close,
    };
  }

  get #host(): HostConnection {
    const send = (unit: unknown): void => messagesOf(unit).forEach((message) => this.#send(message));
    this.#connection ??= this.relay.connect({ name: "HTTP without sessions", send });
    return this.#connection;
  }

  #receive(transport: Transport, message: unknown, extra: MessageExtra | undefined): void {
    if (!isRawRequest(message)) return this.#host.receive(message);
    try {
      this.#checkHeaders(message, extra);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const { code, message: text, data } = error;
      const refusal = { code, message: text, ...(data !== undefined && { data }) };
      void transport.send({ jsonrpc: "2.0", id: message.id, error: refusal });
      return;
    }
    const id = `http-${++this.#count}`;
    this.#exchanges.set(id, { transport, request: message });
    Object.assign(transport, { onclose: () => this.#onClosed(id) });
    extra?.watchDisconnect?.();
    this.#host.receive(withIds(message, id));
  }

  /** Compares the headers with what they repeat, as the endpoint of a server does. @throws ProtocolError */
  #checkHeaders(message: RawRequest, extra: MessageExtra | undefined): void {
    const checks = extra?.requestChecks;
    const version = objectAt(message, "params", "_meta")[META_PROTOCOL_VERSION];
    if (!checks || typeof version !== "string") return;
    const request = message as unknown as Parameters<typeof checks.checkMethod>[0];
    checks.checkVersion(version);
    const side = this.sides.get(version);
    if (!side) return;
    checks.checkMethod(request, side);
    const row = Object.hasOwn(side.receives.requests, message.method)
      ? side.receives.requests[message.method]
      : undefined;
    if (row) checks.checkRequest(request, row);
  }

  /** Cancels a request whose client has left. */
  #onClosed(id: string): void {
    if (!this.#exchanges.delete(id)) return;
    const params = { requestId: id, reason: "The client closed the response" };
    this.#host.receive({ jsonrpc: "2.0", method: NOTIFICATIONS_CANCELLED, params });
  }

  /** Sends a message of the server to the client that it belongs to. */
  #send(message: unknown): void {
    if (isRawRequest(message)) {
      const error = {
        code: ErrorCode.MethodNotFound,
        message: "Servers send no requests to clients without a session",
      };
      this.#host.receive({ jsonrpc: "2.0", id: message.id, error });
      return;
    }
    const id = this.#exchangeOf(message);
    const exchange = id === undefined ? undefined : this.#exchanges.get(id);
    if (id === undefined || !exchange) return;
    const { transport, request } = exchange;
    if (isRawResponse(message)) this.#exchanges.delete(id);
    void transport.send(withOwnIds(message as JsonObject, request) as unknown as Parameters<Transport["send"]>[0]);
  }

  #exchangeOf(message: unknown): string | undefined {
    if (isRawResponse(message)) return String(message.id);
    const params = objectAt(message, "params");
    const named = objectAt(params, "_meta")[META_SUBSCRIPTION_ID];
    if (typeof named === "string") return named;
    if (objectAt(message)["method"] === NOTIFICATIONS_PROGRESS) return params["progressToken"] as string;
    // Servers of stdio do not say to which request a log message belongs.
    const logging = [...this.#exchanges].filter(
      ([, { request }]) => META_LOG_LEVEL in objectAt(request, "params", "_meta"),
    );
    return logging.at(-1)?.[0];
  }
}

/** The request as the server sees it. */
function withIds(request: RawRequest, id: string): JsonObject {
  const params = objectAt(request, "params");
  const meta = objectAt(params, "_meta");
  if (!("progressToken" in meta)) return { ...request, id };
  return { ...request, id, params: { ...params, _meta: { ...meta, progressToken: id } } };
}

/** The message as the client sees it. */
function withOwnIds(message: JsonObject, request: RawRequest): JsonObject {
  if (isRawResponse(message)) {
    const result = message["result"];
    return {
      ...message,
      id: request.id,
      ...(result !== undefined && { result: withOwnSubscription(result, request) }),
    };
  }
  const params = withOwnSubscription(message["params"], request);
  const { progressToken } = objectAt(request, "params", "_meta");
  if (message["method"] !== NOTIFICATIONS_PROGRESS) return { ...message, params };
  return { ...message, params: { ...objectAt(params), progressToken } };
}

function withOwnSubscription(value: unknown, { id }: RawRequest): unknown {
  const meta = objectAt(value, "_meta");
  if (!(META_SUBSCRIPTION_ID in meta)) return value;
  return { ...objectAt(value), _meta: { ...meta, [META_SUBSCRIPTION_ID]: id } };
}
