export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns whether `done` returned true in time. */
export async function waitUntil(
  done: () => boolean | Promise<boolean>,
  patienceMs: number,
  everyMs = 20,
): Promise<boolean> {
  const end = performance.now() + patienceMs;
  for (;;) {
    if (await done()) return true;
    if (performance.now() > end) return false;
    await sleep(everyMs);
  }
}
