import { Random } from "../soak/random.js";
import { Simulation } from "./engine/simulation.js";
import { installVirtualGlobals } from "./engine/virtual-globals.js";
import type { NewNode } from "./cluster.js";
import { scenario } from "./scenario.js";
import { SharedStore } from "./shared-store.js";

/** The most events of one simulation: more of them are a loop. */
const maxEvents = 200_000;

export interface Outcome {
  readonly seed: number;
  readonly violations: readonly string[];
  /** The same for the same course of events. */
  readonly digest: string;
  readonly events: number;
  /** The lines of the trace, if they were kept. */
  readonly trace: readonly string[];
}

/** What a simulation runs; mutants replace a part of it. */
export interface Subject {
  readonly newStore: (simulation: Simulation) => SharedStore;
  readonly newNode?: NewNode;
}

const runtime: Subject = { newStore: (simulation) => new SharedStore(simulation) };
const { setImmediate } = globalThis;

/** Runs one simulation. The same seed has the same outcome. */
export async function runSeed(seed: number, keepsTrace = false, subject = runtime): Promise<Outcome> {
  const simulation = new Simulation(seed, keepsTrace);
  const { timeline } = simulation;
  const restore = installVirtualGlobals(timeline, new Random(`${seed} runtime`));
  const onRejection = (error: unknown): void => simulation.violate(`unhandled rejection: ${describe(error)}`);
  process.on("unhandledRejection", onRejection);
  let events = 0;
  try {
    for (const { ms } of scenario(simulation, subject.newStore(simulation), subject.newNode)) {
      const end = timeline.now + ms;
      // Everything that an event leads to at once happens before the next one.
      await turn();
      while (timeline.step(end)) {
        if (++events > maxEvents) throw new Error(`there are more than ${maxEvents} events`);
        await turn();
      }
      timeline.now = end;
    }
  } catch (error) {
    simulation.violate(`the simulation failed: ${describe(error)}`);
  } finally {
    process.off("unhandledRejection", onRejection);
    restore();
  }
  const { violations, trace } = simulation;
  return { seed, violations, digest: trace.digest, events, trace: trace.lines };
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
