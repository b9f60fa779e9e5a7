import { ErrorCode, ProtocolError, SdkError } from "../engine/errors.js";
import type { Registered } from "./registered.js";

interface Entry<Item> {
  key: string;
  readonly sequence: number;
  item: Item;
  enabled: boolean;
}

/** Items on a page, unless the author says otherwise. */
const pageSize = 1_000;

/** Named items in the order in which they were registered; their names are unique. */
export class Registry<Config, Item extends { readonly definition: object }> {
  readonly #entries = new Map<string, Entry<Item>>();
  #sequence = 0;

  /**
   * @param kind what an item is called in messages
   * @param prepare makes an item of its name and configuration, or throws
   * @param changed called after every change
   * @param idOf what is the same text for keys that mean the same
   */
  constructor(
    readonly kind: string,
    readonly prepare: (key: string, config: Config) => Item,
    readonly changed: () => void,
    readonly idOf = (key: string): string => key,
  ) {}

  /**
   * @param keyOf finds a new key among changes
   * @throws SdkError `INVALID_CONFIGURATION` when the key is taken or the configuration cannot work
   */
  add(key: string, config: Config, keyOf: (changes: Partial<Config>) => string | undefined): Registered<Config> {
    let id = this.#free(key);
    const entry: Entry<Item> = { key, sequence: this.#sequence++, item: this.prepare(key, config), enabled: true };
    this.#entries.set(id, entry);
    this.changed();
    const isGone = (): boolean => this.#entries.get(id) !== entry;
    const set = (enabled: boolean): void => {
      if (entry.enabled === enabled || isGone()) return;
      entry.enabled = enabled;
      this.changed();
    };
    return {
      get enabled() {
        return entry.enabled;
      },
      enable: () => set(true),
      disable: () => set(false),
      update: (changes) => {
        if (isGone()) return;
        const next = keyOf(changes) ?? key;
        const nextId = this.#free(next, entry);
        const merged = { ...config, ...changes };
        entry.item = this.prepare(next, merged);
        config = merged;
        entry.key = key = next;
        if (nextId !== id) {
          this.#entries.delete(id);
          this.#entries.set((id = nextId), entry);
        }
        this.changed();
      },
      remove: () => {
        if (isGone()) return;
        this.#entries.delete(id);
        this.changed();
      },
    };
  }

  /** An item, by its key as it is listed, or by the id of that: whoever guards items by their keys knows no others. */
  get(key: string): Item | undefined {
    const id = this.idOf(key);
    const entry = this.#entries.get(id);
    return entry?.enabled && (key === entry.key || key === id) ? entry.item : undefined;
  }

  /**
   * One page of the enabled items, as clients see them. A cursor names the place after an item, so that pages stay right
   * while items come and go.
   * @throws ProtocolError -32602 for a cursor that is not one of ours
   */
  page(
    cursor: string | undefined,
    size = pageSize,
  ): { readonly items: readonly Item["definition"][]; readonly nextCursor?: string } {
    const after = cursor === undefined ? -1 : this.#place(cursor);
    const rest = [...this.#entries.values()]
      .filter(({ enabled, sequence }) => enabled && sequence > after)
      .sort((a, b) => a.sequence - b.sequence);
    const page = rest.slice(0, size);
    const last = page.at(-1);
    const items = page.map(({ item }) => item.definition);
    return rest.length > size && last ? { items, nextCursor: this.#cursor(last.sequence) } : { items };
  }

  *[Symbol.iterator](): Generator<Item, void, undefined> {
    for (const { enabled, item } of this.#entries.values()) if (enabled) yield item;
  }

  #cursor(sequence: number): string {
    return btoa(`${this.kind} ${sequence}`);
  }

  #place(cursor: string): number {
    const sequence = Number(decoded(cursor).slice(this.kind.length + 1));
    // Only what `#cursor` would have written counts.
    if (sequence >= 0 && sequence < this.#sequence && this.#cursor(sequence) === cursor) return sequence;
    throw new ProtocolError(ErrorCode.InvalidParams, "Invalid params: cursor is not one that this server gave");
  }

  /** @returns the id of a key that nobody but `owner` has */
  #free(key: string, owner?: Entry<Item>): string {
    const id = this.idOf(key);
    const taken = this.#entries.get(id);
    if (taken && taken !== owner)
      throw new SdkError(
        "INVALID_CONFIGURATION",
        `${this.kind} "${key}" is registered already; update or remove it first`,
      );
    return id;
  }
}

function decoded(cursor: string): string {
  try {
    return atob(cursor);
  } catch {
    return "";
  }
}
