const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof exitCodes;
const signals = Object.keys(exitCodes) as Signal[];

/**
 * Runs `work` and aborts its signal on Ctrl-C, or when the terminal is closed: `work` closes its connections, then the process exits with the exit code
 * of the signal. A closed output pipe also aborts `work`, without an error.
 */
export async function runInterruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  let received: Signal | undefined;
  const interrupt = (signal: Signal): void => {
    received ??= signal;
    controller.abort();
  };
  const unread = (): void => controller.abort();
  for (const signal of signals) process.on(signal, interrupt);
  process.stdout.on("error", unread);
  try {
    await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  } finally {
    process.stdout.off("error", unread);
    for (const signal of signals) process.off(signal, interrupt);
    if (received) process.exit(exitCodes[received]);
  }
}
