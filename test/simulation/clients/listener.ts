import type { Simulation } from "../engine/simulation.js";
import type { Exchange } from "../network.js";
import type { Message } from "./messages.js";
import type { StreamEvents } from "./post-stream.js";
import type { Session } from "./session.js";

/** The client that a listener belongs to. */
export interface ListenerHost {
  readonly simulation: Simulation;
  readonly hasLeft: boolean;
  /** Opens a stream, or continues one. */
  openStream(session: Session, lastEventId: string | undefined, events: StreamEvents): Exchange;
}

/** The stream of a session that a client opens by GET, over several connections. */
export class Listener {
  /** Whether a connection is open at the moment. */
  isOpen = false;
  #lastEventId: string | undefined;
  #exchange: Exchange | undefined;
  #hasLeft = false;

  constructor(
    readonly host: ListenerHost,
    readonly session: Session,
    readonly receive: (message: Message) => void,
  ) {}

  open(): void {
    const { session } = this;
    // Later connections replace this one.
    const isCurrent = (): boolean => own === this.#exchange && !this.#hasLeft;
    const events: StreamEvents = {
      onHead: (status) => {
        if (isCurrent()) this.isOpen = status === 200;
      },
      onMessage: (message, eventId) => {
        session.onOpenStream();
        session.onListen();
        if (eventId !== undefined && message) session.onEventId(eventId);
        if (eventId !== undefined) this.#lastEventId = eventId;
        if (message) this.receive(message);
      },
      onRefused: (status) => {
        if (status === 404) session.onGone();
        else if (status === 503) this.#again(isCurrent());
        else session.cluster.simulation.violate(`the stream of ${session.client} is refused: ${status}`);
      },
      onOver: () => this.#again(isCurrent()),
    };
    const own = this.host.openStream(session, this.#lastEventId, events);
    this.#exchange = own;
    // What was sent on an earlier connection, and did not arrive, is lost unless the client says after which message to continue.
    if (this.#lastEventId === undefined && session.hasListened) session.mayMiss = true;
    session.onListen();
  }

  /** Closes the connection, and opens another soon. */
  reconnect(): void {
    this.#exchange?.leave();
    this.#again(true);
  }

  leave(): void {
    this.#hasLeft = true;
    this.isOpen = false;
    this.#exchange?.leave();
  }

  #again(isCurrent: boolean): void {
    if (!isCurrent) return;
    this.isOpen = false;
    this.#exchange = undefined;
    const { timeline, random } = this.host.simulation;
    timeline.after(random.next() * 1_000, () => {
      if (!this.#hasLeft && !this.host.hasLeft && !this.session.isGone && !this.#exchange) this.open();
    });
  }
}
