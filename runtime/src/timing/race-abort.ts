/** Waits for what may take long, or fails with the reason of the abort, which the work itself may have brought about. */
export async function raceAbort<Value>(signal: AbortSignal | undefined, work: PromiseLike<Value>): Promise<Value> {
  if (!signal) return work;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
