/** Something that a roster lists; it is in one roster at most. */
export interface Listed {
  /** Where its roster has it. @internal */
  place: number | undefined;
}

/**
 * What comes and goes with each request. A `Set` would do, but each time it outgrows its table, the old one keeps what it
 * listed from being collected while young, and collecting it later costs several microseconds a request.
 */
export class Roster<Member extends Listed> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: Member): void {
    member.place ??= this.#members.push(member) - 1;
  }

  delete(member: Member): void {
    const { place } = member;
    if (place === undefined) return;
    member.place = undefined;
    const last = this.#members.pop();
    if (!last || last === member) return;
    this.#members[place] = last;
    last.place = place;
  }

  /** Those that are listed now; they may come and go meanwhile. */
  [Symbol.iterator](): IterableIterator<Member> {
    return [...this.#members].values();
  }
}
