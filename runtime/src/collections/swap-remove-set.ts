/** A member of a `SwapRemoveSet`; it can be in only one set. */
export interface SwapRemoveItem {
  /** Its index in that set. @internal */
  setIndex: number | undefined;
}

/**
 * A set of objects that are added and removed with each request. Each time a `Set` outgrows its table, the old table keeps
 * its members from being collected while young; collecting them later costs several microseconds per request.
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

  /** Iterates over a copy of the members, so members may be added and removed meanwhile. */
  [Symbol.iterator](): IterableIterator<Member> {
    return [...this.#members].values();
  }
}
