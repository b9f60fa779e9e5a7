/** How many different sets of lists are remembered: sessions with connections of their own can each have another. */
const maxJoined = 100;

const ids = new WeakMap<object, number>();
let lastId = 0;

function idOf(part: object): number {
  let id = ids.get(part);
  if (id === undefined) ids.set(part, (id = ++lastId));
  return id;
}

/** Remembers what was made of a set of lists, for as long as none of them is replaced. */
export class JoinedCache<Part extends object, Joined> {
  readonly #joined = new Map<string, Joined>();
  /** Most clients get the same as the one before. */
  #latest: { readonly identities: readonly object[]; readonly joined: Joined } | undefined;

  constructor(readonly join: (parts: readonly Part[]) => Joined) {}

  /** @param parts are compared by identity */
  of(parts: readonly Part[], identities: readonly object[]): Joined {
    if (this.#latest && areSame(this.#latest.identities, identities)) return this.#latest.joined;
    const joined = this.#find(parts, identities);
    this.#latest = { identities, joined };
    return joined;
  }

  #find(parts: readonly Part[], identities: readonly object[]): Joined {
    const key = identities.map(idOf).join();
    const found = this.#joined.get(key);
    if (found !== undefined) return found;
    const made = this.join(parts);
    const [oldest] = this.#joined.keys();
    if (this.#joined.size >= maxJoined && oldest !== undefined) this.#joined.delete(oldest);
    this.#joined.set(key, made);
    return made;
  }

  clear(): void {
    this.#joined.clear();
    this.#latest = undefined;
  }
}

function areSame(some: readonly object[], others: readonly object[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}
