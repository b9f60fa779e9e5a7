import { SdkError } from "../jsonrpc/errors.js";
import { assertMethods } from "../options/assert-methods.js";
import type { Transport } from "../transport/transport.js";
import { ignoreError } from "./ignore-error.js";
import { StdioServerTransport } from "./stdio-server-transport.js";

/** A server that can be served: an `McpServer`, a `Server`, or the result of a function. */
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
  /** Milliseconds that running handlers have to finish after the end of the input, a signal or `close`. Default: 5,000. */
  readonly graceMs?: number;
  /** Default: the standard input and output of the process. */
  readonly transport?: Transport;
}

export interface StdioServerHandle<Connection extends ServableConnection = ServableConnection> {
  /** The connection to the client. */
  readonly connection: Promise<Connection>;
  /** Resolves when the connection has ended and its last response is written: the moment to close pools. Never rejects. */
  readonly closed: Promise<void>;
  /** Shuts down gracefully: running handlers may finish, and subscriptions end with their result. */
  close(): Promise<void>;
}

/**
 * Serves one client over standard input and output. Shuts down gracefully at the end of the input, SIGINT or SIGTERM. The
 * process then exits, unless something else keeps it alive; signals have their earlier effect again.
 * @throws SdkError `INVALID_CONFIGURATION` when `server` is something else, or a transport is not passed as an option
 * @example
 * ```ts
 * const { closed } = serveStdio(server, { graceMs: 2_000 });
 * void closed.then(() => pool.end());
 * ```
 */
export function serveStdio<Connection extends ServableConnection>(
  server: Servable<Connection> | (() => Servable<Connection>),
  options: ServeStdioOptions = {},
): StdioServerHandle<Connection> {
  const { graceMs, transport = new StdioServerTransport() } = options;
  const servable = typeof server === "function" ? server() : server;
  assertMethods(servable, ["connect"], "pass a server, or a function that returns one (await promises first)");
  if ("start" in options)
    throw new SdkError("INVALID_CONFIGURATION", "pass the transport as an option: serveStdio(server, { transport })");
  let settle!: () => void;
  const closed = new Promise<void>((resolve) => (settle = resolve));
  const ignore = (): void => void process.off("SIGINT", stop).off("SIGTERM", stop);
  const close = async (): Promise<void> => {
    ignore();
    try {
      await (await connection).shutdown(graceMs);
    } finally {
      settle();
    }
  };
  const stop = (): void => {
    close()
      .catch(async (error: unknown) => (await connection).report(error))
      // If the connection cannot be opened, the caller gets that error from `connection`.
      .catch(ignore);
  };
  const connecting = servable.connect(transport);
  process.on("SIGINT", stop).on("SIGTERM", stop);
  const connection = connecting.then(
    (opened) => {
      const ended = (): void => {
        ignore();
        // This also waits until the transport has written what was queued.
        opened.shutdown(graceMs).then(settle, settle);
      };
      const { onend, onclose } = transport;
      Object.assign(transport, {
        onend: () => {
          // The first shutdown decides how long handlers may take. The connection reports its failure.
          opened.shutdown(graceMs).catch(ignoreError);
          onend?.();
        },
        onclose: (error?: Error) => {
          onclose?.(error);
          ended();
        },
      });
      if (!opened.isOpen) ended();
      return opened;
    },
    (error: unknown) => {
      ignore();
      settle();
      throw error;
    },
  );
  return { connection, closed, close };
}
