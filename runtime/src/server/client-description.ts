import type { Side } from "@mcpwright/protocol/contract";
import type { ClientCapabilities, Implementation, LoggingLevel, ServerCapabilities } from "../authoring.js";
import { type Capabilities, hasCapability } from "../connection/capability.js";
import type { RequestSender } from "../connection/request-context.js";

/** The client of one request. In the stateless era every request says it anew, and nothing is remembered. */
export interface ClientDescription extends RequestSender {
  /** What the client declared. */
  readonly capabilities: ClientCapabilities & Capabilities;
  /** Who the client says it is; for display only. */
  readonly info: Implementation | undefined;
  /** Log messages below this level are not sent; undefined: none are. */
  readonly logLevel: LoggingLevel | undefined;
  /** What is kept between the requests of a handshake-era connection; undefined in the stateless era. */
  readonly session: Session | undefined;
}

/** Whether the client can be sent to URLs by an error, and is told when the user is done there. */
export function supportsUrlElicitation({ side, capabilities }: ClientDescription): boolean {
  return side.profile.urlCompletion && hasCapability(capabilities, "client.elicitation.url");
}

/** A handshake-era session: it begins with `initialize` and ends with the connection. */
export class Session implements ClientDescription {
  /** The client has sent `notifications/initialized`: only now may it be asked for anything. */
  initialized = false;
  #subscriptions: Set<string> | undefined;
  #store: Map<string, unknown> | undefined;

  constructor(
    readonly side: Side,
    readonly capabilities: ClientDescription["capabilities"],
    readonly info: Implementation | undefined,
    public logLevel: LoggingLevel | undefined,
    /** What the server said that it offers; what it declares later, this client does not know of. */
    readonly advertisedCapabilities: ServerCapabilities,
  ) {}

  /** URIs of `resources/subscribe`. */
  get subscriptions(): Set<string> {
    return (this.#subscriptions ??= new Set<string>());
  }

  /** Whatever handlers want to keep for this client. */
  get store(): Map<string, unknown> {
    return (this.#store ??= new Map<string, unknown>());
  }

  get session(): this {
    return this;
  }
}
