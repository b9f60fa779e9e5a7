import { RelayEvents } from "./listeners.js";
import type { RelayListener } from "./relay-events.js";
import type { HostConnection, RelayHost } from "./relay-host.js";
import { RelayedConnection } from "./relayed-connection.js";
import type { DevCommand } from "./server-process.js";

export interface RelayOptions {
  /**
   * The command of the server, asked for before each start.
   * @param connection counts the host connections of the relay, from 1
   * @throws when the server cannot be started now; the message is the reason that hosts get
   */
  readonly command: (connection: number) => DevCommand;
  /** Milliseconds in which the server must answer the handshake. Default: no limit. */
  readonly startTimeoutMs?: number;
}

/**
 * Stands between hosts and a server that is being edited. Each connection has a server process of its own, which `restart` replaces
 * behind the back of the host: the connection stays, and so does its session.
 *
 * @example
 * ```ts
 * const relay = new Relay({ command: () => ({ command: process.execPath, args: ["server.js"] }) });
 * relay.listen((event) => console.error(event.kind));
 * const connection = relay.connect({ name: "test", send: (message) => console.log(message) });
 * connection.receive({ jsonrpc: "2.0", id: 1, method: "ping" });
 * relay.restart("server.js changed");
 * await relay.close();
 * ```
 */
export class Relay {
  readonly #events = new RelayEvents();
  readonly #connections = new Set<RelayedConnection>();
  #count = 0;

  constructor(private readonly options: RelayOptions) {}

  /** Calls the listener with all events from now on. @returns a function that ends this */
  listen(listener: RelayListener): () => void {
    return this.#events.add(listener);
  }

  /** Connects a host, and starts a server process for it. */
  connect(host: RelayHost): HostConnection {
    const count = ++this.#count;
    const { command, startTimeoutMs } = this.options;
    const connection: RelayedConnection = new RelayedConnection(host, {
      id: String(count),
      command: () => command(count),
      startTimeoutMs,
      report: this.#events.reporter(String(count)),
      onClosed: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    connection.open();
    return connection;
  }

  /** Restarts the server of every connection. @param reason a sentence without a full stop, such as `src/main.ts changed` */
  restart(reason: string): void {
    for (const connection of this.#connections) connection.restart(reason);
  }

  /** Ends all connections. Resolves when no process is left. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections].map((connection) => connection.close()));
  }
}
