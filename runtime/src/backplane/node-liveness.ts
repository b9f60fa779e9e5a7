import { unref } from "../timing/timer-delay.js";
import type { ValueStore } from "./backplane-store.js";

/** How often a node says that it is alive, in milliseconds. */
export const beatMs = 5_000;
/** A node that has been silent for so long is dead. */
const silenceMs = 15_000;

/** Says regularly that this node is alive, and knows whether others are. */
export class NodeLiveness {
  #timer: ReturnType<typeof setInterval> | undefined;
  #beginning: Promise<void> | undefined;

  constructor(
    readonly values: ValueStore,
    readonly node: string,
    /** Called each time that this node has said that it is alive: others may have died since. */
    readonly onBeat: () => void,
    readonly onerror: (error: unknown) => void,
  ) {}

  /** Starts to say it. @returns a promise that resolves when others know; it never rejects */
  begin(): Promise<void> {
    if (!this.#beginning) {
      this.#beginning = this.#beat();
      this.#timer = unref(setInterval(() => void this.#beat(), beatMs));
    }
    return this.#beginning;
  }

  /** @throws BackplaneError */
  async isAlive(node: string): Promise<boolean> {
    return node === this.node || (await this.values.get(keyOf(node))) !== undefined;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  async #beat(): Promise<void> {
    try {
      await this.values.set(keyOf(this.node), "", { ttlMs: silenceMs });
    } catch (error) {
      this.onerror(error);
      return;
    }
    this.onBeat();
  }
}

function keyOf(node: string): string {
  return `node:${node}`;
}
