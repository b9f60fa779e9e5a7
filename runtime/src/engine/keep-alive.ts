import { RemoteError } from "./errors.js";

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
  ping(timeoutMs: number): Promise<unknown>;
  report(error: unknown): void;
  /** Called when too many answers were missing. */
  lost(): void;
}

/**
 * Pings regularly. It does not keep the process alive.
 * @returns ends it
 */
export function keepAlive(
  connection: Pinged,
  { intervalMs, timeoutMs = intervalMs, failures = 3 }: KeepAlive,
): () => void {
  let missed = 0;
  const timer = setInterval(() => {
    connection.ping(timeoutMs).then(
      () => (missed = 0),
      (error: unknown) => {
        connection.report(error);
        // Whoever refuses to answer is alive.
        if (error instanceof RemoteError) missed = 0;
        else if (++missed >= failures) connection.lost();
      },
    );
  }, intervalMs);
  (timer as { unref?: () => void }).unref?.();
  return () => clearInterval(timer);
}
