/** How often a change is tried while other nodes are faster. */
const maxAttempts = 20;
/** The longest pause after the first attempt, in milliseconds; after each further one, it is that much longer. */
const pauseMs = 5;

/**
 * Repeats an attempt to change a value while other nodes are faster.
 * @param attempt changes the newest value; it returns undefined when another node has changed it meanwhile
 * @param conflict creates the error that is thrown when other nodes were faster each time
 */
export async function untilChanged<Result>(
  attempt: () => Promise<Result | undefined>,
  conflict: (attempts: number) => Error,
): Promise<Result> {
  for (let count = 1; count <= maxAttempts; count++) {
    const result = await attempt();
    if (result !== undefined) return result;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs * count));
  }
  throw conflict(maxAttempts);
}
