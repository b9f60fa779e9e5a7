import type { Side } from "@mcpwright/protocol/contract";
import {
  INITIALIZE,
  NOTIFICATIONS_CANCELLED,
  NOTIFICATIONS_INITIALIZED,
  NOTIFICATIONS_PROGRESS,
} from "@mcpwright/protocol/names";
import type { Transport } from "@mcpwright/runtime";
import type { HostedConnection } from "@mcpwright/runtime/server/http";
import { isRawNotification, isRawRequest, isRawResponse, messagesOf, objectAt } from "./json-messages.js";
import type { Relay } from "./relay.js";
import type { HostConnection } from "./relay-host.js";

type Sent = Parameters<Transport["send"]>[0];
type RequestId = string | number;
type Session = NonNullable<HostedConnection["session"]>;

export interface SessionHostOptions {
  readonly name: string;
  /** The sides of the handshake era, newest first. */
  readonly sides: readonly Side[];
  readonly onClosed: () => void;
}

/** A session of an HTTP client: a host of the relay, with a server process of its own. */
export class SessionHost implements HostedConnection {
  session: Session | undefined;
  readonly #connection: HostConnection;
  /** The progress tokens of the requests in flight, by id, in the order in which they came. */
  readonly #requests = new Map<RequestId, unknown>();
  /** The handshake in flight. */
  #opening: RequestId | undefined;
  #ending: Promise<void> | undefined;

  constructor(
    relay: Relay,
    readonly transport: Transport,
    private readonly options: SessionHostOptions,
  ) {
    this.#connection = relay.connect({ name: options.name, send: (unit) => this.#send(unit) });
    Object.assign(transport, {
      onmessage: (unit: unknown) => this.#receive(unit),
      onclose: () => void this.#end(),
    });
  }

  /** Serves a client whose session was not opened here: it can only be of the revision that it names. */
  openAssumedSession(side: Side): void {
    this.#open(side);
  }

  restoreSession(): boolean {
    return false;
  }

  notifyChanged(): void {
    // The server notifies its clients.
  }

  async close(): Promise<void> {
    await this.transport.close();
    await this.#end();
  }

  shutdown(): Promise<void> {
    return this.close();
  }

  #receive(unit: unknown): void {
    for (const message of messagesOf(unit)) {
      if (isRawRequest(message)) {
        this.#requests.set(message.id, objectAt(message, "params", "_meta")["progressToken"]);
        if (message.method === INITIALIZE) this.#opening = message.id;
      } else if (isRawNotification(message)) this.#onNotification(message.method, objectAt(message, "params"));
    }
    this.#connection.receive(unit);
  }

  #onNotification(method: string, { requestId }: Readonly<Record<string, unknown>>): void {
    if (method === NOTIFICATIONS_INITIALIZED && this.session) this.session = { ...this.session, initialized: true };
    if (method !== NOTIFICATIONS_CANCELLED) return;
    this.#requests.delete(requestId as RequestId);
    // The server need not answer it any more.
    this.transport.requestDropped?.(requestId as RequestId);
  }

  #send(unit: unknown): void {
    for (const message of messagesOf(unit)) {
      if (!isRawResponse(message)) continue;
      this.#requests.delete(message.id);
      if (message.id === this.#opening && "result" in message) {
        const { protocolVersion } = objectAt(message, "result");
        this.#open(this.options.sides.find(({ revision }) => revision === protocolVersion) ?? this.options.sides[0]);
      }
    }
    const relatedRequestId = this.#requestOf(unit);
    const sent = this.transport.send(unit as Sent, relatedRequestId === undefined ? {} : { relatedRequestId });
    // A client that does not read ends its session, which is reported by `onclose`.
    if (sent) sent.catch(() => undefined);
  }

  /** The request to whose response stream a message belongs: by its progress token, else the last one. Servers of stdio do not say. */
  #requestOf(unit: unknown): RequestId | undefined {
    const requests = [...this.#requests];
    if (!isRawNotification(unit) || unit.method !== NOTIFICATIONS_PROGRESS) return requests.at(-1)?.[0];
    const { progressToken } = objectAt(unit, "params");
    return requests.find(([, token]) => token === progressToken)?.[0];
  }

  #open(side: Side | undefined): void {
    if (!side) return;
    const facts = {
      capabilities: {},
      advertisedCapabilities: {},
      initialized: false,
      subscriptions: new Set<string>(),
    };
    this.session = { ...facts, side, sharing: undefined, update: () => undefined };
  }

  #end(): Promise<void> {
    this.#ending ??= this.#connection.close().then(() => this.options.onClosed());
    return this.#ending;
  }
}
