export const levels = ["debug", "info", "warning"] as const;
export type Level = (typeof levels)[number];

/** The log level of a session, as far as its client knows it. */
export class LogLevel {
  #level: Level = "info";
  #isCertain = true;
  #changes = 0;

  /** Whether the client knows the level, so that it may change it. After a change without a response, it never knows. */
  get isCertain(): boolean {
    return this.#isCertain;
  }

  /** The client asks for another level. */
  ask(): void {
    this.#isCertain = false;
    this.#changes++;
  }

  /** The server has confirmed it. */
  confirm(level: Level): void {
    this.#level = level;
    this.#isCertain = true;
  }

  /** Called when a call begins. Returns a function that returns the level that has been the same since then; undefined: it may have changed. */
  watch(): () => Level | undefined {
    const [level, changes] = [this.#isCertain ? this.#level : undefined, this.#changes];
    return () => (changes === this.#changes ? level : undefined);
  }
}
