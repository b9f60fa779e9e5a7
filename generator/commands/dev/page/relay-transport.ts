import type { Transport } from "@mcpwright/runtime";
import { SdkError } from "@mcpwright/runtime/errors";
import type { HostConnection, RelayHost } from "../relay-host.js";

/** What the page needs of a `Relay`. */
export interface PageRelay {
  connect(host: RelayHost): PageRelayConnection;
}

export type PageRelayConnection = Pick<HostConnection, "id" | "receive" | "close">;

/**
 * Connects a client of this process to the server behind the relay. `close` leaves the connection of the relay open, which then starts the
 * server again when its files change; `end` closes it.
 */
export class RelayTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];
  #connection: PageRelayConnection | undefined;
  #isOpen = false;

  /** @param name what the host is, for people */
  constructor(
    private readonly relay: PageRelay,
    private readonly name: string,
  ) {}

  /** The id of the connection in the events of the relay. */
  get id(): string | undefined {
    return this.#connection?.id;
  }

  start(): Promise<void> {
    this.#isOpen = true;
    const send = (unit: unknown): void => queueMicrotask(() => this.#receive(unit));
    this.#connection = this.relay.connect({ name: this.name, send });
    return Promise.resolve();
  }

  /** @throws SdkError `NOT_CONNECTED` */
  send(message: Parameters<Transport["send"]>[0]): void {
    if (!this.#isOpen || !this.#connection)
      throw new SdkError("NOT_CONNECTED", "the connection to the server is closed");
    // The relay sees a message as it would arrive from another process.
    this.#connection.receive(JSON.parse(JSON.stringify(message)));
  }

  close(): Promise<void> {
    if (!this.#isOpen) return Promise.resolve();
    this.#isOpen = false;
    this.onclose?.();
    return Promise.resolve();
  }

  /** Closes the connection of the relay. Resolves when its server has ended. */
  async end(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await this.close();
    await connection?.close();
  }

  #receive(unit: unknown): void {
    if (!this.#isOpen) return;
    try {
      this.onmessage?.(unit);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}
