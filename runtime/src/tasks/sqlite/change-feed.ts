/** Calls listeners with the ids of changed tasks. The changes of other processes are read from the database. */
export class ChangeFeed {
  readonly #listeners = new Set<(id: string) => void>();
  /** The stamps of changes by this process after `#last`. */
  readonly #own = new Set<number>();
  /** All changes up to this stamp were passed to the listeners. */
  #last = 0;
  #version = 0;

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /**
   * Adds a listener.
   * @param version of the database: a number that differs when another process has changed it
   * @param last the stamp of the last change
   */
  subscribe(listener: (id: string) => void, version: () => number, last: () => number): () => void {
    if (!this.hasListeners) {
      this.#version = version();
      this.#last = last();
    }
    const own = (id: string): void => listener(id);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
      if (!this.hasListeners) this.#own.clear();
    };
  }

  /** Passes on changes by this process. */
  add(ids: Iterable<string>, stamps: Iterable<number>): void {
    if (!this.hasListeners) return;
    for (const stamp of stamps) this.#own.add(stamp);
    for (const id of ids) this.#notify(id);
  }

  /**
   * Passes on changes by other processes.
   * @param changedSince returns all changes after a stamp, in their order
   */
  poll(
    version: number,
    changedSince: (stamp: number) => readonly { readonly id: string; readonly changed: number }[],
  ): void {
    if (version === this.#version) {
      // Other processes have changed nothing since.
      for (const stamp of this.#own) this.#last = Math.max(this.#last, stamp);
      this.#own.clear();
      return;
    }
    const changes = changedSince(this.#last);
    this.#version = version;
    for (const { id, changed } of changes) {
      this.#last = changed;
      if (!this.#own.delete(changed)) this.#notify(id);
    }
    this.#own.clear();
  }

  #notify(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }
}
