/** Something that `.ci/run` does. */
export interface Step {
  readonly name: string;
  /** For a shell, in the root of the repository. */
  readonly command: string;
  /** The steps that must have passed. */
  readonly needs?: readonly string[];
  /** Nothing runs beside it: it uses both cores by itself, or measures time. */
  readonly alone?: boolean;
}

export interface Ended {
  readonly passed: boolean;
  readonly output: string;
  /** Of all its processes. */
  readonly cpuSeconds: number;
}

/** A step that was started. */
export interface Started {
  readonly ended: Promise<Ended>;
  /** Ends its processes. */
  readonly abort: () => Promise<void>;
}

export interface Outcome extends Ended {
  readonly step: Step;
  readonly seconds: number;
}

export interface Runner {
  readonly start: (step: Step) => Started;
  readonly began: (step: Step) => void;
  readonly ended: (outcome: Outcome) => void;
}

const mostAtOnce = 2;

/** The steps whose names have one of some words, as if what they need were done; without words all of them. */
export function select(steps: readonly Step[], words: readonly string[]): readonly Step[] {
  if (words.length === 0) return steps;
  const chosen = steps.filter(({ name }) => words.some((word) => name.includes(word)));
  if (chosen.length === 0) throw new Error(`no step has a name with ${words.join(" or ")}`);
  const isChosen = (name: string): boolean => chosen.some((step) => step.name === name);
  return chosen.map((step) => ({ ...step, needs: (step.needs ?? []).filter(isChosen) }));
}

/**
 * Runs steps, at most two at a time, each as early as what it needs allows, and otherwise in their order. Steps that run alone
 * wait until nothing else runs. The first that fails aborts the others, and nothing is started any more.
 * @returns the outcomes in the order in which the steps ended
 */
export async function runSteps(steps: readonly Step[], runner: Runner): Promise<readonly Outcome[]> {
  checkNeeds(steps);
  const waiting = new Set(steps);
  const running = new Map<Step, { readonly started: Started; readonly outcome: Promise<Outcome> }>();
  const outcomes: Outcome[] = [];
  const hasPassed = (name: string): boolean => outcomes.some(({ step }) => step.name === name);
  const canStart = ({ needs = [], alone = false }: Step): boolean =>
    needs.every(hasPassed) &&
    running.size < (alone ? 1 : mostAtOnce) &&
    ![...running.keys()].some((step) => step.alone ?? false);

  for (;;) {
    for (const step of waiting) {
      if (!canStart(step)) continue;
      waiting.delete(step);
      runner.began(step);
      running.set(step, observe(step, runner.start(step)));
    }
    if (running.size === 0) return outcomes;
    const outcome = await Promise.race(Array.from(running.values(), (one) => one.outcome));
    running.delete(outcome.step);
    outcomes.push(outcome);
    runner.ended(outcome);
    if (!outcome.passed) {
      await Promise.all(Array.from(running.values(), ({ started }) => started.abort()));
      return outcomes;
    }
  }
}

function observe(step: Step, started: Started): { readonly started: Started; readonly outcome: Promise<Outcome> } {
  const since = performance.now();
  const outcome = started.ended.then((ended) => ({ ...ended, step, seconds: (performance.now() - since) / 1_000 }));
  return { started, outcome };
}

/** A step needs only steps before it, so that each of them is run. */
function checkNeeds(steps: readonly Step[]): void {
  const names = new Set<string>();
  for (const { name, needs = [] } of steps) {
    for (const need of needs)
      if (!names.has(need)) throw new Error(`the step "${name}" needs "${need}", which is not a step before it`);
    if (names.has(name)) throw new Error(`two steps are named "${name}"`);
    names.add(name);
  }
}
