import type { Contest, Runner } from "./runners.js";

const warmUpMs = 15;
const sampleMs = 2;
const rounds = 41;

/** Nanoseconds per call, one figure per round. */
export interface Measured {
  readonly contest: Contest;
  readonly valid: Readonly<Record<string, readonly number[]>>;
  readonly invalid: Readonly<Record<string, readonly number[]>>;
}

/** Warms up every engine on all its messages, then times the engines in turns, in a random order in each round. */
export function measure(contests: readonly Contest[]): readonly Measured[] {
  const all = contests.flatMap(({ valid, invalid }) => [...valid, ...invalid]);
  for (const runner of all) warmUp(runner);
  const passes = new Map(all.map((runner) => [runner, passesOf(runner)]));
  const random = seeded(1);
  return contests.map((contest) => {
    const runners = [...contest.valid, ...contest.invalid];
    const samples = new Map(runners.map((runner): [Runner, number[]] => [runner, []]));
    for (let round = 0; round < rounds; round++) {
      for (const runner of shuffled(runners, random)) {
        run(runner, 1); // excludes the cost of cold processor caches
        samples.get(runner)?.push(time(runner, passes.get(runner) ?? 1));
      }
    }
    const byEngine = (side: readonly Runner[]): Record<string, readonly number[]> =>
      Object.fromEntries(side.map((runner) => [runner.engine, samples.get(runner) ?? []]));
    return { contest, valid: byEngine(contest.valid), invalid: byEngine(contest.invalid) };
  });
}

/** A random order, so that no engine always pays for the garbage of the same other engine. */
function shuffled(runners: readonly Runner[], random: () => number): readonly Runner[] {
  return runners
    .map((runner) => ({ runner, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ runner }) => runner);
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
}

function warmUp(runner: Runner): void {
  const end = performance.now() + warmUpMs;
  do time(runner, 1);
  while (performance.now() < end);
}

/** Number of passes over the values per sample. */
function passesOf(runner: Runner): number {
  let calls = 0;
  const start = performance.now();
  let elapsed: number;
  do {
    run(runner, 1);
    calls++;
    elapsed = performance.now() - start;
  } while (elapsed < warmUpMs);
  return Math.max(1, Math.round((sampleMs * calls) / elapsed));
}

function time(runner: Runner, passes: number): number {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  const right = run(runner, passes);
  const used = process.cpuUsage(cpu);
  // The clock includes other jobs on the machine, CPU time includes helper threads: both are upper bounds of this thread's time.
  const elapsed = Math.min(performance.now() - wall, (used.user + used.system) / 1000);
  const calls = passes * runner.values.length;
  if (right !== calls) throw new Error(`${runner.engine} returned a different result while it was timed`);
  return (elapsed * 1e6) / calls;
}

/** One loop for all runners, so that V8 does not inline checks: it does not in a dispatch table either. */
function run({ check, values, answer }: Runner, passes: number): number {
  let right = 0;
  for (let pass = 0; pass < passes; pass++) {
    for (const value of values) if (check(value) === answer) right++;
  }
  return right;
}
