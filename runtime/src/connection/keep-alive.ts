import { PING } from "@mcpwright/protocol/names";
import { timerDelay, unref } from "../timing/timer-delay.js";
import type { Transport } from "../transport/transport.js";

export interface KeepAliveOptions {
  /** Milliseconds between pings. */
  readonly intervalMs: number;
  /** Milliseconds to wait for each answer. Default: the interval. */
  readonly timeoutMs?: number;
  /** The connection is closed after so many missing answers in a row. Default 3. */
  readonly failures?: number;
}

/** What pinging needs of a connection. */
interface PingableConnection {
  readonly isOpen: boolean;
  readonly transport: Pick<Transport, "isReachable">;
  request(method: string, params: undefined, options: { readonly timeoutMs: number }): Promise<unknown>;
  report(error: unknown): void;
  close(): Promise<void>;
}

/** Regular pings that are under way. */
export interface KeepAliveTimer {
  /** The peer has sent something, whatever it is: it is alive. */
  onMessage(): void;
  stop(): void;
}

/** Pings regularly, and closes the connection when too many answers are missing. It does not keep the process alive. */
export function startKeepAlive(
  connection: PingableConnection,
  { intervalMs, timeoutMs = intervalMs, failures = 3 }: KeepAliveOptions,
): KeepAliveTimer {
  let missed = 0;
  let messages = 0;
  const timer = setInterval(() => {
    // Nobody can expect an answer to what does not get to the peer now.
    if (connection.transport.isReachable === false) return;
    const before = messages;
    connection.request(PING, undefined, { timeoutMs }).catch((error: unknown) => {
      connection.report(error);
      if (messages === before && ++missed >= failures && connection.isOpen)
        connection.close().catch((failure: unknown) => connection.report(failure));
    });
  }, timerDelay(intervalMs));
  unref(timer);
  return {
    onMessage: () => {
      messages++;
      missed = 0;
    },
    stop: () => clearInterval(timer),
  };
}
