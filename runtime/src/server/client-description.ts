import type { Side } from "@mcpwright/protocol/contract";
import type { ClientCapabilities, Implementation, LoggingLevel, ServerCapabilities } from "../authoring.js";
import { type Capabilities, hasCapability } from "../connection/capability.js";
import type { SessionChange, SessionRecord } from "../http-server/session-record.js";
import type { RequestSender } from "../connection/request-context.js";
import { KeyedSessionStore, type SessionHost, type SessionStore } from "./session-store.js";

/** The client of one request. In the stateless era, every request describes its client, and nothing is kept. */
export interface ClientDescription extends RequestSender {
  /** The capabilities that the client declared. */
  readonly capabilities: ClientCapabilities & Capabilities;
  /** The client's own name and version; unverified, for display only. */
  readonly info: Implementation | undefined;
  /** The minimum level of log messages to send; undefined when none are sent. */
  readonly logLevel: LoggingLevel | undefined;
  /** State that is kept between the requests of a handshake-era connection; undefined in the stateless era. */
  readonly session: Session | undefined;
}

/** Whether the client accepts URL elicitations in errors and notifications about their completion. */
export function supportsUrlElicitation({ side, capabilities }: ClientDescription): boolean {
  return side.profile.urlCompletion && hasCapability(capabilities, "client.elicitation.url");
}

/** A handshake-era session, from `initialize` to the end of the connection. */
export class Session implements ClientDescription {
  /** Whether the client has sent `notifications/initialized`; before that, the server must not send requests to it. */
  initialized = false;
  /** Makes changes known to other nodes, if there are any. @internal */
  sharing: { change(change: SessionChange): Promise<void> } | undefined;
  #subscriptions: Set<string> | undefined;
  /** The memory of the subscriptions, as far as the transport has room for it. */
  #heldBytes = 0;
  /** The connection that the session belongs to; undefined before `initialize`. @internal */
  host: SessionHost | undefined;
  #store: SessionStore | undefined;

  constructor(
    readonly side: Side,
    readonly capabilities: ClientDescription["capabilities"],
    readonly info: Implementation | undefined,
    public logLevel: LoggingLevel | undefined,
    /** The capabilities in the result of `initialize`; the client does not know about later ones. */
    readonly advertisedCapabilities: ServerCapabilities,
  ) {}

  /** The id of the session over HTTP, for logs and for data outside of `store`. Undefined over other transports. */
  get id(): string | undefined {
    return this.host?.transport.sessionId;
  }

  /** The URIs that the client subscribed to with `resources/subscribe`. */
  get subscriptions(): Set<string> {
    return (this.#subscriptions ??= new Set<string>());
  }

  /** Applies a change by the client. Returns a promise when other nodes must know it first. @internal */
  change(change: SessionChange): Promise<void> | undefined {
    if ("logLevel" in change) this.logLevel = change.logLevel;
    else if ("subscribe" in change) this.subscriptions.add(change.subscribe);
    else if ("unsubscribe" in change) this.subscriptions.delete(change.unsubscribe);
    else this.initialized = true;
    this.#count();
    return this.sharing?.change(change);
  }

  /** Takes over what another node has changed. @internal */
  update({ initialized, logLevel, subscriptions }: SessionRecord): void {
    this.initialized ||= initialized;
    this.logLevel = logLevel;
    this.#subscriptions = new Set(subscriptions);
    this.#count();
  }

  /** Keeps memory for a subscription. Returns false when there is no room. @internal */
  reserve(bytes: number): boolean {
    if (this.host?.transport.reserve?.(bytes) === false) return false;
    this.#heldBytes += bytes;
    return true;
  }

  /** Corrects the memory after other nodes have changed the subscriptions, or after the change of one has failed. */
  #count(): void {
    let bytes = -this.#heldBytes;
    for (const uri of this.#subscriptions ?? []) bytes += uri.length;
    if (bytes !== 0) this.reserve(bytes);
  }

  /** Data of handlers, kept as long as the session. */
  get store(): SessionStore {
    return (this.#store ??= new KeyedSessionStore(this.host));
  }

  get session(): this {
    return this;
  }
}
