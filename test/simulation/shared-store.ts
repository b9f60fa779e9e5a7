import { MemoryBackplane } from "../../runtime/src/backplane.js";
import type { Simulation } from "./engine/simulation.js";

/** The backplane that all nodes of a simulation share. Mutants override its methods. */
export class SharedStore extends MemoryBackplane {
  /** The keys and logs that were ever used: each must expire. */
  readonly #keys = new Set<string>();
  readonly #logs = new Set<string>();
  /** The number of calls and messages that are on their way, and of interruptions. */
  #underWay = 0;
  /** When the last of them arrived, and when the last moment without any ended. */
  #arrivedAt = -1;
  #quietAt = 0;

  constructor(readonly simulation: Simulation) {
    super({ onerror: (error) => simulation.violate(`a subscriber threw ${String(error)}`) });
  }

  override set(...given: Parameters<MemoryBackplane["set"]>): string | undefined {
    this.#keys.add(given[0]);
    return super.set(...given);
  }

  override append(...given: Parameters<MemoryBackplane["append"]>): string {
    this.#logs.add(given[0]);
    return super.append(...given);
  }

  /** Something is on its way, until the returned function is called. */
  begin(): () => void {
    this.#quietAt = this.quietAt;
    this.#underWay++;
    return () => {
      this.#arrivedAt = this.simulation.now;
      this.#underWay--;
    };
  }

  /** When nothing was on its way for the last time. Nodes had read everything that was written before. */
  get quietAt(): number {
    const { now } = this.simulation;
    // An arrival may lead to more in the same moment.
    return this.#underWay === 0 && now > this.#arrivedAt ? now : this.#quietAt;
  }

  /** The keys and logs that still exist. */
  get remains(): readonly string[] {
    const logs = [...this.#logs].filter((log) => this.read(log, { limit: 1 }).entries.length > 0);
    return [...[...this.#keys].filter((key) => this.get(key)), ...logs];
  }
}
