import { ErrorCode, ProtocolError, SdkError } from "../jsonrpc/errors.js";
import { JSON_TEXT } from "../jsonrpc/serialize.js";
import type { ServerContext } from "./contracts.js";

/** What every registered item can do. */
export interface RegisteredItem<Config> {
  readonly enabled: boolean;
  /** Offers it again. */
  enable(): void;
  /** Does as if it were not there, until it is enabled. */
  disable(): void;
  /** Changes what is given and keeps the rest; a new `name` (or `uri`) moves it. Clients are told that the list changed. */
  update(changes: Partial<Config>): void;
  /** Takes it away for good: nothing that is done to it later has an effect. */
  remove(): void;
}

interface Entry<Item> {
  key: string;
  readonly sequence: number;
  item: Item;
  enabled: boolean;
}

const maxPages = 1_000;

interface Keys {
  readonly name?: string;
  readonly uri?: string;
}

interface RegistryOptions<Config, Item> {
  /** What an item is called in messages. */
  readonly kind: string;
  /** The member of a list result that has the items. */
  readonly member: string;
  /** Items on a page. Default 1,000. */
  readonly pageSize: number | undefined;
  /** Makes an item of its key and configuration, or throws. */
  readonly prepare: (key: string, config: Config) => Item;
  /** Called after every change. */
  readonly changed: () => void;
  /** What of a configuration is the key. Default `name`. */
  readonly key?: keyof Keys;
  /** What is the same text for keys that mean the same. */
  readonly idOf?: (key: string) => string;
}

/** Named items in the order in which they were registered; their names are unique. */
export class Registry<Config extends Keys, Item extends { readonly definition: object }> {
  readonly #entries = new Map<string, Entry<Item>>();
  /** Finished list results with their JSON text: a list is put together once per revision and page, not per call. */
  readonly #pages = new Map<string, object>();
  #sequence = 0;

  constructor(readonly options: RegistryOptions<Config, Item>) {}

  /** @throws SdkError `INVALID_CONFIGURATION` when the key is taken or the configuration cannot work */
  add(key: string, config: Config): RegisteredItem<Config> {
    const { prepare } = this.options;
    let id = this.#unusedId(key);
    const entry: Entry<Item> = { key, sequence: this.#sequence++, item: prepare(key, config), enabled: true };
    this.#entries.set(id, entry);
    this.#changed();
    const isGone = (): boolean => this.#entries.get(id) !== entry;
    const set = (enabled: boolean): void => {
      if (entry.enabled === enabled || isGone()) return;
      entry.enabled = enabled;
      this.#changed();
    };
    return {
      get enabled() {
        return entry.enabled;
      },
      enable: () => set(true),
      disable: () => set(false),
      update: (changes) => {
        if (isGone()) return;
        const next = changes[this.options.key ?? "name"] ?? key;
        const nextId = this.#unusedId(next, entry);
        const merged = { ...config, ...changes };
        entry.item = prepare(next, merged);
        config = merged;
        entry.key = key = next;
        if (nextId !== id) {
          id = nextId;
          // It keeps its place.
          const all = [...this.#entries.values()];
          this.#entries.clear();
          for (const one of all) this.#entries.set(this.#idOf(one.key), one);
        }
        this.#changed();
      },
      remove: () => {
        if (isGone()) return;
        this.#entries.delete(id);
        this.#changed();
      },
    };
  }

  /** An item, by its key as it is listed, or by the id of that: whoever guards items by their keys knows no others. */
  get(key: string): Item | undefined {
    const id = this.#idOf(key);
    const entry = this.#entries.get(id);
    return entry?.enabled && (key === entry.key || key === id) ? entry.item : undefined;
  }

  /** @throws ProtocolError -32602 when there is no such item */
  getOrThrow(key: string): Item {
    const item = this.get(key);
    if (!item) throw new ProtocolError(ErrorCode.InvalidParams, `Unknown ${this.options.kind}: ${key.slice(0, 200)}`);
    return item;
  }

  /**
   * One page of the enabled items, as clients see them. A cursor names the place after an item, so that pages stay right
   * while items come and go.
   * @throws ProtocolError -32602 for a cursor that is not one of ours
   */
  page(cursor: string | undefined): { readonly items: readonly Item["definition"][]; readonly nextCursor?: string } {
    const { pageSize = 1_000 } = this.options;
    const after = cursor === undefined ? -1 : this.#sequenceOf(cursor);
    const rest = [...this.#entries.values()].filter(({ enabled, sequence }) => enabled && sequence > after);
    const page = rest.slice(0, pageSize);
    const last = page.at(-1);
    const items = page.map(({ item }) => item.definition);
    return rest.length > pageSize && last ? { items, nextCursor: this.#cursor(last.sequence) } : { items };
  }

  /** Answers with a page. */
  readonly list = ({ cursor }: { readonly cursor?: string }, context: ServerContext): object => {
    const { connection, client } = context;
    const key = `${client.side.revision} ${JSON.stringify(cursor)}`;
    const known = this.#pages.get(key);
    if (known) return known;
    const { items, ...next } = this.page(cursor);
    const page = { ...connection.server.finishResult(context, { [this.options.member]: items, ...next }) };
    Object.defineProperty(page, JSON_TEXT, { value: JSON.stringify(page) });
    if (this.#pages.size >= maxPages) this.#pages.clear();
    this.#pages.set(key, page);
    return page;
  };

  *[Symbol.iterator](): Generator<Item, void, undefined> {
    for (const { enabled, item } of this.#entries.values()) if (enabled) yield item;
  }

  #changed(): void {
    this.#pages.clear();
    this.options.changed();
  }

  #idOf(key: string): string {
    return this.options.idOf?.(key) ?? key;
  }

  #cursor(sequence: number): string {
    return btoa(`${this.options.kind} ${sequence}`);
  }

  #sequenceOf(cursor: string): number {
    const sequence = Number(decoded(cursor).slice(this.options.kind.length + 1));
    // Only what `#cursor` would have written counts.
    if (sequence >= 0 && sequence < this.#sequence && this.#cursor(sequence) === cursor) return sequence;
    throw new ProtocolError(ErrorCode.InvalidParams, "Invalid params: cursor is not one that this server gave");
  }

  /** @returns the id of a key that nobody but `owner` has */
  #unusedId(key: string, owner?: Entry<Item>): string {
    const id = this.#idOf(key);
    const taken = this.#entries.get(id);
    if (taken && taken !== owner)
      throw new SdkError(
        "INVALID_CONFIGURATION",
        `${this.options.kind} "${key}" is registered already; update or remove it first`,
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
