import type { LogPage, ReadOptions } from "../backplane-store.js";

/** What an entry costs besides its text: its place, and a share of its log. */
const entryOverhead = 200;

/** The entries of one log. They are added at the end, and removed at the beginning. */
export class StoredLog {
  /** What the entries cost, in characters. */
  size = 0;
  /** When the log expires, in milliseconds of `performance.now()`. */
  due = 0;
  readonly #texts: string[] = [];
  /** The index of the first entry in `#texts`; removed ones precede it. */
  #head = 0;
  /** The number of the first entry. */
  #first = 1;

  constructor(
    readonly name: string,
    /** Distinguishes the log from earlier ones of the same name. */
    readonly epoch: string,
  ) {}

  get length(): number {
    return this.#texts.length - this.#head;
  }

  /** Adds an entry; returns its id. */
  add(text: string): string {
    this.size += text.length + entryOverhead;
    this.#texts.push(text);
    return this.#id(this.#first + this.length - 1);
  }

  /** Removes the first entry. */
  removeFirst(): void {
    const text = this.#texts[this.#head];
    if (text === undefined) return;
    this.#texts[this.#head++] = "";
    this.#first++;
    this.size -= text.length + entryOverhead;
    // Moving the others at each removal would take as long as there are entries.
    if (this.#head * 2 < this.#texts.length) return;
    this.#texts.splice(0, this.#head);
    this.#head = 0;
  }

  read({ after, limit }: ReadOptions): LogPage {
    const end = this.#first + this.length;
    const read = after === undefined ? this.#first - 1 : this.#number(after);
    const hasGap = !(read >= this.#first - 1 && read < end);
    const from = hasGap ? this.#first : read + 1;
    const texts = this.#texts.slice(this.#head + from - this.#first).slice(0, limit);
    return { entries: texts.map((text, at) => ({ id: this.#id(from + at), text })), hasGap };
  }

  #id(number: number): string {
    return `${this.epoch}-${number.toString(36)}`;
  }

  /** Returns the number of an entry of this log; NaN for other ids. */
  #number(id: string): number {
    const text = id.startsWith(`${this.epoch}-`) ? id.slice(this.epoch.length + 1) : "";
    return /^[0-9a-z]{1,10}$/.test(text) ? parseInt(text, 36) : NaN;
  }
}
