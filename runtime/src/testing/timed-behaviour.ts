// Behaviours whose outcome depends on the time: something exists until its end, and then no longer.

/** The lives of short-lived things, in milliseconds. When a machine is too slow for one, the behaviour runs again with the next. */
const livesMs = [300, 2_000, 10_000] as const;

class TooSlow extends Error {}

interface Runnable<Harness> {
  readonly name: string;
  readonly run: (harness: Harness) => Promise<void>;
}

/** @param behaviourWith makes the behaviour, which asserts with `startLife` that it has looked in time */
export function timed<Harness>(behaviourWith: (lifeMs: number) => Runnable<Harness>): Runnable<Harness> {
  const behaviours = livesMs.map(behaviourWith);
  return {
    name: behaviours[0]?.name ?? "",
    async run(harness) {
      for (const [at, behaviour] of behaviours.entries())
        try {
          await behaviour.run(harness);
          return;
        } catch (error) {
          if (!((error as Error).cause instanceof TooSlow) || at === behaviours.length - 1) throw error;
        }
    },
  };
}

/** Starts a life now. @returns asserts that it has not passed yet; call it after what has to happen before its end */
export function startLife(lifeMs: number): () => void {
  const start = performance.now();
  return () => {
    if (performance.now() - start > lifeMs) throw new TooSlow(`the machine takes more than ${lifeMs} ms`);
  };
}
