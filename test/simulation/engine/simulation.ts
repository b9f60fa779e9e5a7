import { Random } from "../../soak/random.js";
import { chooseConditions, type Conditions } from "./conditions.js";
import { Timeline } from "./timeline.js";
import { Trace } from "./trace.js";

/** The most violations that a simulation notes: later ones are often consequences. */
const maxViolations = 5;

/** What all parts of a simulation share. */
export class Simulation {
  readonly timeline = new Timeline();
  readonly random: Random;
  readonly conditions: Conditions;
  readonly trace: Trace;
  readonly violations: string[] = [];
  /** Whether no more faults happen. */
  isHealed = false;

  constructor(
    readonly seed: number,
    keepsTrace: boolean,
  ) {
    this.random = new Random(`${seed} conditions and events`);
    this.trace = new Trace(keepsTrace);
    this.conditions = chooseConditions(this.random);
    this.note(JSON.stringify(this.conditions));
  }

  get now(): number {
    return this.timeline.now;
  }

  /** Adds something that happened to the trace. */
  note(text: string): void {
    this.trace.add(`${this.timeline.now.toFixed(1)} ${text}`);
  }

  /** Notes that something happened that must not happen. */
  violate(text: string): void {
    this.note(`VIOLATION ${text}`);
    if (this.violations.length < maxViolations) this.violations.push(`${this.now.toFixed(1)} ms: ${text}`);
  }

  /** Whether a fault happens now, if such faults happen at all. */
  strikes(isPossible: boolean, chance: number): boolean {
    return isPossible && !this.isHealed && this.random.chance(chance);
  }

  networkDelay(): number {
    return this.#delay(this.conditions.networkMs);
  }

  backplaneDelay(): number {
    const { backplaneMs } = this.conditions;
    return backplaneMs === 0 ? 0 : this.#delay(backplaneMs);
  }

  #delay(most: number): number {
    const usual = this.random.next() * most;
    return this.random.chance(this.conditions.slowness) ? usual + this.random.next() * 2_000 : usual;
  }
}
