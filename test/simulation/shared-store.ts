import { MemoryBackplane } from "../../runtime/src/backplane.js";
import type { Simulation } from "./engine/simulation.js";

/** The backplane that all nodes of a simulation share. Mutants override its methods. */
export class SharedStore extends MemoryBackplane {
  /** The keys and logs that were ever used: each must expire. */
  readonly #keys = new Set<string>();
  readonly #logs = new Set<string>();

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

  /** The keys and logs that still exist. */
  get remains(): readonly string[] {
    const logs = [...this.#logs].filter((log) => this.read(log, { limit: 1 }).entries.length > 0);
    return [...[...this.#keys].filter((key) => this.get(key)), ...logs];
  }
}
