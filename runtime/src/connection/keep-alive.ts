import { PING } from "@mcpwright/protocol/names";
import { SdkError } from "../jsonrpc/errors.js";
import { timerDelay, unref } from "../timing/timer-delay.js";
import type { Transport } from "../transport/transport.js";

export interface KeepAliveOptions {
  /** Milliseconds between pings. */
  readonly intervalMs: number;
  /** Milliseconds to wait for each response. Default: `intervalMs`. */
  readonly timeoutMs?: number;
  /** Number of consecutive missing responses after which the connection is closed. Default: `3`. */
  readonly failures?: number;
}

/** The members of a connection that the keep-alive timer uses. */
interface PingableConnection {
  readonly isOpen: boolean;
  readonly transport: Pick<Transport, "isReachable">;
  request(method: string, params: undefined, options: { readonly timeoutMs: number }): Promise<unknown>;
  report(error: unknown): void;
  fail(error: Error): Promise<void>;
}

/** A running keep-alive timer. */
export interface KeepAliveTimer {
  /** Called with every message that the peer sends: it is alive. */
  onMessage(): void;
  stop(): void;
}

/** Pings regularly, and closes the connection with an error when too many responses are missing. Does not keep the process alive. */
export function startKeepAlive(
  connection: PingableConnection,
  { intervalMs, timeoutMs = intervalMs, failures = 3 }: KeepAliveOptions,
): KeepAliveTimer {
  let missed = 0;
  let messages = 0;
  const timer = setInterval(() => {
    // A ping that cannot reach the peer now gets no response.
    if (connection.transport.isReachable === false) return;
    const before = messages;
    connection.request(PING, undefined, { timeoutMs }).catch((error: unknown) => {
      connection.report(error);
      if (messages !== before || ++missed < failures || !connection.isOpen) return;
      const cause = new SdkError("CONNECTION_CLOSED", `the peer did not respond; missing responses: ${missed}`);
      connection.fail(cause).catch((failure: unknown) => connection.report(failure));
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
