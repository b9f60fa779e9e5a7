import type { RelayEvent, RelayListener } from "./relay-events.js";

type WithoutBase<Event> = Event extends RelayEvent ? Omit<Event, "at" | "connection"> : never;

/** An event without the members that all events have. */
export type RelayEventData = WithoutBase<RelayEvent>;

/** Reports events of one connection. */
export type ReportEvent = (event: RelayEventData) => void;

/** Passes the events of a relay to its listeners, and stamps them. */
export class RelayEvents {
  readonly #listeners = new Set<RelayListener>();
  readonly #began = performance.now();

  /** @returns a function that removes the listener */
  add(listener: RelayListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  reporter(connection: string): ReportEvent {
    return (data) => {
      const event: RelayEvent = { ...data, at: performance.now() - this.#began, connection };
      for (const listener of this.#listeners) listener(event);
    };
  }
}
