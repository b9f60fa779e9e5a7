import { unref } from "../../timing/timer-delay.js";

/** How often log-ins that end at another node are looked for. */
const pollMs = 2_000;
const maxPending = 10_000;
const maxListeners = 50;

interface Pending {
  readonly user: string;
  readonly listeners: Set<() => void>;
}

/** The log-ins that requests and clients of this node wait for, by their nonce. */
export class PendingLogIns {
  readonly #pending = new Map<string, Pending>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** A slow store must not be asked again before it has answered. */
  #isLooking = false;

  /** @param poll says whether a log-in has not ended yet; never rejects */
  constructor(readonly poll: (user: string, nonce: string) => Promise<boolean>) {}

  /** Calls a function once when a log-in ends, or its link expires. @returns a function that stops it */
  add(user: string, nonce: string, listener: () => void): () => void {
    let pending = this.#pending.get(nonce);
    if (!pending) {
      if (this.#pending.size >= maxPending) return () => undefined;
      this.#pending.set(nonce, (pending = { user, listeners: new Set() }));
    }
    const { listeners } = pending;
    if (listeners.size < maxListeners) listeners.add(listener);
    if (!this.#timer) unref((this.#timer = setInterval(() => void this.#look(), pollMs)));
    return () => void listeners.delete(listener);
  }

  /** Called when a log-in has ended. */
  end(nonce: string): void {
    const pending = this.#pending.get(nonce);
    this.#pending.delete(nonce);
    for (const listener of pending?.listeners ?? []) listener();
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const [nonce, { user }] of [...this.#pending])
      if (this.#pending.has(nonce) && !(await this.poll(user, nonce))) this.end(nonce);
    this.#isLooking = false;
  }
}
