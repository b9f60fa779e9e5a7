export interface KeepAlive {
  /** Milliseconds between pings. */
  readonly intervalMs: number;
  /** Milliseconds to wait for each answer. Default: the interval. */
  readonly timeoutMs?: number;
  /** The connection is closed after so many missing answers in a row. Default 3. */
  readonly failures?: number;
}

/** A connection that can be pinged. */
export interface Pinged {
  /** A ping would get to the peer now; else nobody can expect an answer. */
  readonly isReachable: boolean;
  ping(timeoutMs: number): Promise<unknown>;
  report(error: unknown): void;
  /** Called when too many answers were missing. */
  lost(): void;
}

/** Regular pings that are under way. */
export interface KeptAlive {
  /** The peer has sent something, whatever it is: it is alive. */
  heard(): void;
  stop(): void;
}

/** Pings regularly. It does not keep the process alive. */
export function keepAlive(
  connection: Pinged,
  { intervalMs, timeoutMs = intervalMs, failures = 3 }: KeepAlive,
): KeptAlive {
  let missed = 0;
  let messages = 0;
  const timer = setInterval(() => {
    if (!connection.isReachable) return;
    const before = messages;
    connection.ping(timeoutMs).catch((error: unknown) => {
      connection.report(error);
      if (messages === before && ++missed >= failures) connection.lost();
    });
  }, intervalMs);
  (timer as { unref?: () => void }).unref?.();
  return {
    heard: () => {
      messages++;
      missed = 0;
    },
    stop: () => clearInterval(timer),
  };
}
