import type { ServerConnection } from "../../server/contracts.js";
import { type Place, placeKey } from "./place.js";
import type { UpstreamConnection } from "./upstream-connection.js";

/** The connections at one place, by the capabilities with which they were opened, and the user who has logged in. */
interface Slot {
  readonly opening: Promise<UpstreamConnection>;
  connection: UpstreamConnection | undefined;
}

type Slots = Map<string, Slot>;

/** The connections to a server, by the places that use them. */
export class ConnectionPool {
  readonly #shared: Slots = new Map();
  readonly #sessions = new Map<ServerConnection, Slots>();
  /** Lent connections that no request uses now. */
  readonly #free = new Map<string, UpstreamConnection[]>();
  readonly #open = new Set<UpstreamConnection>();

  get size(): number {
    return this.#open.size;
  }

  /** A copy, because the pool changes while connections are closed. */
  get connections(): readonly UpstreamConnection[] {
    return [...this.#open];
  }

  /** The open connection of a place that is not lent. */
  open(place: Place): UpstreamConnection | undefined {
    return this.#slots(place)?.get(placeKey(place))?.connection;
  }

  /** The connection of a place, also one that is being opened; undefined when there is none. */
  take(place: Place): UpstreamConnection | Promise<UpstreamConnection> | undefined {
    if (place.kind === "lent") return this.#takeFree(placeKey(place));
    const slot = this.#slots(place)?.get(placeKey(place));
    return slot?.connection ?? slot?.opening;
  }

  /** Adds a connection that is being opened. */
  add(place: Place, opening: Promise<UpstreamConnection>): Promise<UpstreamConnection> {
    const key = placeKey(place);
    const slot: Slot = { opening, connection: undefined };
    if (place.kind !== "lent") this.#slotsFor(place).set(key, slot);
    opening.then(
      (connection) => {
        slot.connection = connection;
        if (connection.isOpen) this.#open.add(connection);
      },
      () => {
        if (this.#slots(place)?.get(key) === slot) this.#drop(place);
      },
    );
    return opening;
  }

  /** Moves a connection, whose place has changed when the era of the server became known, to that place. */
  move(connection: UpstreamConnection, from: Place): void {
    if (from.kind !== "lent") this.#drop(from);
    const slots = this.#slotsFor(connection.place);
    const key = placeKey(connection.place);
    if (!slots.has(key)) slots.set(key, { opening: Promise.resolve(connection), connection });
    this.#open.add(connection);
  }

  /** Makes a lent connection available for the next request. */
  giveBack(connection: UpstreamConnection): void {
    if (!connection.isOpen) return;
    const key = placeKey(connection.place);
    const free = this.#free.get(key);
    if (free) free.push(connection);
    else this.#free.set(key, [connection]);
  }

  ofOwner(owner: ServerConnection): readonly UpstreamConnection[] {
    return [...(this.#sessions.get(owner)?.values() ?? [])].flatMap(({ connection }) => connection ?? []);
  }

  /** @returns whether the connection was there */
  remove(connection: UpstreamConnection): boolean {
    this.withdraw(connection);
    return this.#open.delete(connection);
  }

  /** Lets no further request use a connection. */
  withdraw(connection: UpstreamConnection): void {
    const { place } = connection;
    const key = placeKey(place);
    if (place.kind === "lent") {
      const free = this.#free.get(key);
      const at = free?.indexOf(connection) ?? -1;
      if (at >= 0) free?.splice(at, 1);
      if (free?.length === 0) this.#free.delete(key);
    } else if (this.#slots(place)?.get(key)?.connection === connection) this.#drop(place);
  }

  #takeFree(key: string): UpstreamConnection | undefined {
    const free = this.#free.get(key);
    const taken = free?.pop();
    // Each user has another key.
    if (free?.length === 0) this.#free.delete(key);
    return taken;
  }

  #slots({ kind, owner }: Place): Slots | undefined {
    if (kind === "shared") return this.#shared;
    return owner && this.#sessions.get(owner);
  }

  #slotsFor(place: Place): Slots {
    const found = this.#slots(place);
    if (found || !place.owner) return found ?? this.#shared;
    const made: Slots = new Map();
    this.#sessions.set(place.owner, made);
    return made;
  }

  #drop(place: Place): void {
    const slots = this.#slots(place);
    slots?.delete(placeKey(place));
    if (slots?.size === 0 && place.owner) this.#sessions.delete(place.owner);
  }
}
