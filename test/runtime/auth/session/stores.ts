import { MemoryCredentialStore } from "../../../../runtime/src/auth/credential-store.js";

/** A store with locks, as several processes share it. */
export class SharedStore extends MemoryCredentialStore {
  readonly #locks = new Map<string, Promise<unknown>>();
  readonly keys = new Set<string>();
  /** The keys that were locked. */
  readonly locked: string[] = [];

  override set(key: string, value: string): void {
    this.keys.add(key);
    super.set(key, value);
  }

  override delete(key: string): void {
    this.keys.delete(key);
    super.delete(key);
  }

  async withLock<Value>(key: string, work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    const before = this.#locks.get(key) ?? Promise.resolve();
    const turn = before.then(() => {
      signal.throwIfAborted();
      this.locked.push(key);
      return work();
    });
    this.#locks.set(
      key,
      turn.catch(() => undefined),
    );
    return turn;
  }
}
