/** A member of a `SwapRemoveSet`; it is in one set at most. */
export interface SwapRemoveItem {
  /** Its index in that set. @internal */
  setIndex: number | undefined;
}

/**
 * What comes and goes with each request. A `Set` would do, but each time it outgrows its table, the old one keeps what it
 * listed from being collected while young, and collecting it later costs several microseconds a request.
 */
export class SwapRemoveSet<Member extends SwapRemoveItem> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: Member): void {
    member.setIndex ??= this.#members.push(member) - 1;
  }

  delete(member: Member): void {
    const { setIndex } = member;
    if (setIndex === undefined) return;
    member.setIndex = undefined;
    const last = this.#members.pop();
    if (!last || last === member) return;
    this.#members[setIndex] = last;
    last.setIndex = setIndex;
  }

  /** Those that are listed now; they may come and go meanwhile. */
  [Symbol.iterator](): IterableIterator<Member> {
    return [...this.#members].values();
  }
}
