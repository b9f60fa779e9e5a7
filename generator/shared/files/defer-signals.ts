const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof exitCodes;
const signals = Object.keys(exitCodes) as Signal[];

/**
 * Runs `work` without letting Ctrl-C end the process in the middle. `work` can check whether it was `interrupted` and
 * stop early; the process ends with the signal's exit code after `work` has cleaned up.
 */
export async function deferSignals<T>(work: (interrupted: () => boolean) => Promise<T>): Promise<T> {
  let received: Signal | undefined;
  const remember = (signal: Signal): void => {
    received ??= signal;
  };
  for (const signal of signals) process.on(signal, remember);
  try {
    return await work(() => received !== undefined);
  } finally {
    // A signal that arrives during synchronous work is delivered by the next poll of the event loop: two turns contain
    // a whole poll.
    await letSignalsIn();
    await letSignalsIn();
    for (const signal of signals) process.off(signal, remember);
    if (received) process.exit(exitCodes[received]);
  }
}

/** Lets pending signals arrive. */
export function letSignalsIn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
