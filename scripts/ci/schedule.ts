/** A step of `.ci/run`. */
export interface Step {
  readonly name: string;
  /** A shell command, which runs in the root of the repository. */
  readonly command: string;
  /** The names of steps that must pass before this one starts. */
  readonly needs?: readonly string[];
  /** Whether no other step runs at the same time, because this one uses both cores or measures time. */
  readonly alone?: boolean;
}

export interface Ended {
  readonly passed: boolean;
  readonly output: string;
  /** The CPU time of all its processes. */
  readonly cpuSeconds: number;
}

/** A step that was started. */
export interface Started {
  readonly ended: Promise<Ended>;
  /** Kills its processes. */
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
  /** Whether no more steps start, because the run was interrupted. */
  readonly isStopping: () => boolean;
}

const mostAtOnce = 2;

/** The steps whose names contain one of the words, without the steps that they need; all steps when there are no words. */
export function select(steps: readonly Step[], words: readonly string[]): readonly Step[] {
  if (words.length === 0) return steps;
  const chosen = steps.filter(({ name }) => words.some((word) => name.includes(word)));
  if (chosen.length === 0) throw new Error(`no name of a step contains ${words.join(" or ")}`);
  const isChosen = (name: string): boolean => chosen.some((step) => step.name === name);
  return chosen.map((step) => ({ ...step, needs: (step.needs ?? []).filter(isChosen) }));
}

/**
 * Runs steps, at most two at a time and in their order, each after the steps that it needs. A step that runs alone waits until no
 * other step runs. A step does not start when one that it needs has failed; others do, so that one run finds all that fails.
 * @returns the outcomes of the steps that ran, in the order in which they ended
 */
export async function runSteps(steps: readonly Step[], runner: Runner): Promise<readonly Outcome[]> {
  checkNeeds(steps);
  const waiting = new Set(steps);
  const running = new Map<Step, Promise<Outcome>>();
  const outcomes: Outcome[] = [];
  const hasPassed = (name: string): boolean => outcomes.some(({ step, passed }) => passed && step.name === name);
  const canStart = ({ needs = [], alone = false }: Step): boolean =>
    !runner.isStopping() &&
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
    const outcome = await Promise.race(running.values());
    running.delete(outcome.step);
    outcomes.push(outcome);
    runner.ended(outcome);
  }
}

async function observe(step: Step, { ended }: Started): Promise<Outcome> {
  const since = performance.now();
  return { ...(await ended), step, seconds: (performance.now() - since) / 1_000 };
}

/** @throws Error when a step needs a step that does not precede it, or when two steps have the same name */
function checkNeeds(steps: readonly Step[]): void {
  const names = new Set<string>();
  for (const { name, needs = [] } of steps) {
    for (const need of needs)
      if (!names.has(need)) throw new Error(`the step "${name}" needs "${need}", which is not a step before it`);
    if (names.has(name)) throw new Error(`two steps are named "${name}"`);
    names.add(name);
  }
}
