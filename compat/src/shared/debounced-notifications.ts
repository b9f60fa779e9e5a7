/** Sends one notification for several of the same method in the same tick. */
export class DebouncedNotifications {
  readonly #waiting = new Set<string>();

  /**
   * @param methods those of which one is enough
   * @param failed called with the error of a notification that could not be sent
   */
  constructor(
    readonly methods: readonly string[],
    readonly failed: (error: Error) => void,
  ) {}

  /** Whether a notification is one of several that say the same. */
  includes(method: string, params: object | undefined, relatedTo: string | number | undefined): boolean {
    return !params && relatedTo === undefined && this.methods.includes(method);
  }

  /** Calls `send` at the end of the tick, unless a notification of this method is waiting. */
  schedule(method: string, send: () => Promise<void> | undefined): void {
    if (this.#waiting.has(method)) return;
    this.#waiting.add(method);
    queueMicrotask(() => {
      this.#waiting.delete(method);
      // A callback of the program that throws must not end the process.
      send()
        ?.catch(this.failed)
        .catch(() => undefined);
    });
  }
}
