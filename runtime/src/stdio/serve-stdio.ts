import type { Transport } from "../transport/transport.js";
import { StdioServerTransport } from "./stdio-server-transport.js";

/** What can be served: an `McpServer`, a `Server`, or a function that makes one. */
export interface Servable<Connection extends ServableConnection = ServableConnection> {
  connect(transport: Transport): Promise<Connection>;
}

/** A connection that a `Servable` opens. */
export interface ServableConnection {
  readonly isOpen: boolean;
  shutdown(graceMs?: number): Promise<void>;
  report(error: unknown): void;
}

export interface ServeStdioOptions {
  /** Milliseconds that running handlers get when the server is told to end. Default 5,000. */
  readonly graceMs?: number;
  /** Default: the standard input and output of the process. */
  readonly transport?: Transport;
}

export interface StdioServerHandle<Connection extends ServableConnection = ServableConnection> {
  /** The connection to the client. */
  readonly connection: Promise<Connection>;
  /** Ends gracefully: running handlers may finish, subscriptions end with their result. */
  close(): Promise<void>;
}

/**
 * Serves one client over standard input and output. The end of the input, SIGINT and SIGTERM end it gracefully; the process
 * then ends by itself, unless something else keeps it alive: for that, signals are what they were before.
 * @example
 * ```ts
 * const handle = serveStdio(server, { graceMs: 2_000 });
 * await handle.close();
 * ```
 */
export function serveStdio<Connection extends ServableConnection>(
  server: Servable<Connection> | (() => Servable<Connection>),
  options: ServeStdioOptions = {},
): StdioServerHandle<Connection> {
  const { graceMs, transport = new StdioServerTransport() } = options;
  const servable = typeof server === "function" ? server() : server;
  const ignore = (): void => void process.off("SIGINT", stop).off("SIGTERM", stop);
  const close = async (): Promise<void> => {
    ignore();
    await (await connection).shutdown(graceMs);
  };
  const stop = (): void => {
    close()
      .catch(async (error: unknown) => (await connection).report(error))
      // Whoever has the connection hears of one that cannot be opened.
      .catch(ignore);
  };
  const connecting = servable.connect(transport);
  process.on("SIGINT", stop).on("SIGTERM", stop);
  const connection = connecting.then(
    (opened) => {
      transport.onclose = both(ignore, transport.onclose);
      if (!opened.isOpen) ignore();
      return opened;
    },
    (error: unknown) => {
      ignore();
      throw error;
    },
  );
  return { connection, close };
}

function both(first: () => void, onclose: Transport["onclose"]): Transport["onclose"] {
  return (error) => {
    first();
    onclose?.(error);
  };
}
