/**
 * Log-ins for more scopes, or instead of a rejected token, that finish in another request, maybe of another process: the store counts them, because an
 * application that redirects its user each time would otherwise do so without end.
 */
export interface StoredStepUp {
  /** The JSON-RPC method and what it addresses; empty for requests without a message, `*` for a rejected token. */
  readonly operation: string;
  /** The number of log-ins that have finished. */
  readonly count: number;
  /** When the first one was started, in milliseconds since 1970. */
  readonly since: number;
  /** Whether one has been started since the last one finished. */
  readonly isPending: boolean;
}

const maxStored = 20;
/** An attempt counts for so many milliseconds, so that users can change their mind. */
export const stepUpMemoryMs = 60 * 60 * 1_000;

/** Stands for log-ins because a token was rejected: three within a minute show that the next one would not help. */
export const rejectedToken = "*";
const rejectedTokenMemoryMs = 60 * 1_000;

/** The number of finished log-ins for an operation. */
export function finishedStepUps(stored: readonly StoredStepUp[] | undefined, operation = ""): number {
  return recent(stored).find((one) => one.operation === operation)?.count ?? 0;
}

/** Adds a log-in that was started; drops the oldest ones when there are too many. */
export function withPendingStepUp(
  stored: readonly StoredStepUp[] | undefined,
  operation = "",
): readonly StoredStepUp[] {
  const known = recent(stored).find((one) => one.operation === operation) ?? { operation, count: 0, since: Date.now() };
  const others = recent(stored).filter((one) => one.operation !== operation);
  return [...others, { ...known, isPending: true }].slice(-maxStored);
}

/** Counts the log-ins that were started. */
export function withFinishedStepUps(stored: readonly StoredStepUp[] | undefined): readonly StoredStepUp[] {
  return recent(stored).map((one) => ({ ...one, count: one.count + (one.isPending ? 1 : 0), isPending: false }));
}

function recent(stored: readonly StoredStepUp[] = []): readonly StoredStepUp[] {
  const now = Date.now();
  // After the clock was set back, times in the future say nothing.
  return stored.filter(
    ({ operation, since }) =>
      since <= now && now - since <= (operation === rejectedToken ? rejectedTokenMemoryMs : stepUpMemoryMs),
  );
}
