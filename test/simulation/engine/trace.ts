/** Everything that happens in a simulation, as a digest and, on demand, as lines. */
export class Trace {
  readonly lines: string[] = [];
  #high = 0xcbf29ce4;
  #low = 0x84222325;

  /** @param isKept whether the lines are kept: a digest alone takes less time */
  constructor(readonly isKept: boolean) {}

  add(text: string): void {
    let [high, low] = [this.#high, this.#low];
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x85ebca6b) + low;
    }
    [this.#high, this.#low] = [high >>> 0, low >>> 0];
    if (this.isKept) this.lines.push(text);
  }

  /** Adds a line that is not part of the digest, if lines are kept. */
  addDetail(text: () => string): void {
    if (this.isKept) this.lines.push(text());
  }

  /** The same for the same lines. */
  get digest(): string {
    return [this.#high, this.#low].map((half) => half.toString(16).padStart(8, "0")).join("");
  }
}
