/** The members of every registered item. */
interface Item {
  enabled: boolean;
}

/** Registered items by key, in the order of registration. */
export class Items<Registered extends Item> {
  readonly byKey = new Map<string, Registered>();

  /** @param changed called after every change */
  constructor(readonly changed: () => void) {}

  /** The enabled items. */
  enabled(): [string, Registered][] {
    return [...this.byKey].filter(([, { enabled }]) => enabled);
  }

  /** Applies the members of an update that are not undefined, except the key. */
  assign(item: Registered, updates: object): void {
    Object.assign(item, withoutUndefined(updates));
  }

  /** Moves an item to another key; null removes it. Returns the key that it has now. */
  move(item: Registered, key: string, next: string | null | undefined): string {
    if (next === undefined || next === key) return key;
    if (this.byKey.get(key) === item) this.byKey.delete(key);
    if (next === null || next === "") return key;
    this.byKey.set(next, item);
    return next;
  }
}

/** The members that are not undefined. */
export function withoutUndefined(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
