/** Heap bytes after a full garbage collection. Needs `--expose-gc`. */
export async function heldBytes(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    // Objects that have just ended can still be referenced from the stack or a queue.
    await new Promise((resolve) => setTimeout(resolve, 20));
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}
