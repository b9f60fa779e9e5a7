/** What an event costs besides its text: its place, and a share of its stream. */
const eventOverhead = 200;

/** The stored events of one stream. Events are added at the end, and evicted at the beginning. */
export class StoredStream {
  /** What the events cost, in characters. */
  size = 0;
  /** When the events expire, in milliseconds of `performance.now()`. */
  due = 0;
  readonly #texts: string[] = [];
  /** The index of the first event in `#texts`; evicted ones precede it. */
  #head = 0;

  constructor(
    readonly id: string,
    /** The number of the first event that is stored. */
    public first: number,
  ) {}

  /** The number of the next event. */
  get next(): number {
    return this.first + this.#texts.length - this.#head;
  }

  /** Adds an event; returns its number. */
  add(text: string): number {
    this.size += text.length + eventOverhead;
    return this.first + this.#texts.push(text) - 1 - this.#head;
  }

  /** Removes the first event. */
  evict(): void {
    const text = this.#texts[this.#head];
    if (text === undefined) return;
    this.#texts[this.#head++] = "";
    this.first++;
    this.size -= text.length + eventOverhead;
    // Moving the others at each event would take as long as there are events.
    if (this.#head * 2 < this.#texts.length) return;
    this.#texts.splice(0, this.#head);
    this.#head = 0;
  }

  text(number: number): string | undefined {
    return number < this.first ? undefined : this.#texts[this.#head + number - this.first];
  }
}
