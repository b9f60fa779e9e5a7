/** Waits for `work`, or rejects with the abort reason of `signal`, even if `work` itself caused the abort. */
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
