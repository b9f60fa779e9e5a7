/** The total cost of calls. */
export interface Cost {
  readonly calls: number;
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Sums the slices of each round. Slices spread each subject over the round, so that other load affects all subjects alike. */
export class Tally {
  readonly #rounds: Cost[] = [];

  add(round: number, { calls, cpuMs, wallMs }: Cost): void {
    const sum = this.#rounds[round] ?? { calls: 0, cpuMs: 0, wallMs: 0 };
    this.#rounds[round] = { calls: sum.calls + calls, cpuMs: sum.cpuMs + cpuMs, wallMs: sum.wallMs + wallMs };
  }

  /** CPU microseconds per call, per round. */
  get cpu(): readonly number[] {
    return this.#rounds.map(({ calls, cpuMs }) => (cpuMs * 1_000) / calls);
  }

  /** Calls per second, per round. */
  get rate(): readonly number[] {
    return this.#rounds.map(({ calls, wallMs }) => (calls * 1_000) / wallMs);
  }
}
