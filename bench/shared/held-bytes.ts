/** The bytes on the heap after all that can be collected was: needs `--expose-gc`. */
export async function heldBytes(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    // What has just ended still stands on the stack or in the queue.
    await new Promise((resolve) => setTimeout(resolve, 20));
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}
