import { reportReservedMeta } from "../connection/reserved-meta.js";
import { ErrorCode, ProtocolError, SdkError } from "../jsonrpc/errors.js";
import { withJsonText } from "../jsonrpc/serialize.js";
import type { ServerContext } from "./contracts.js";

/** The members of every registered item. */
export interface RegisteredItem<Config> {
  readonly enabled: boolean;
  /** Makes the item available again. */
  enable(): void;
  /** Hides the item until it is enabled again. */
  disable(): void;
  /** Changes the given members; a new `name` (or `uri`) renames the item. Clients are notified of the changed list. */
  update(changes: Partial<Config>): void;
  /** Removes the item permanently; later calls of its methods have no effect. */
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

/** A configuration with scopes, which are checked only where it is used. */
export interface Scoped {
  readonly scopes?: readonly string[];
}

interface ListView<Item> {
  readonly name: string;
  readonly includes: (item: Item) => boolean;
}

interface RegistryOptions<Config, Item> {
  /** The word for an item in error messages. */
  readonly kind: string;
  /** The member of a list result that contains the items. */
  readonly member: string;
  /** Items on a page. Default: `1_000`. */
  readonly pageSize: number | undefined;
  /** Creates an item from its key and configuration, or throws. */
  readonly prepare: (key: string, config: Config) => Item;
  /** Called after every change of an item, with its configuration. */
  readonly changed: (config: Scoped) => void;
  /** Returns the definition for the client of a list request. Default: that of the item. */
  readonly define?: (item: Item, context: ServerContext) => object;
  /** Returns which items the client of a list request receives; the list of each name is kept. Default: all. */
  readonly view?: (context: ServerContext) => ListView<Item> | undefined;
  /** The member of a configuration that is the key. Default: `"name"`. */
  readonly key?: keyof Keys;
  /** Returns the same string for equivalent keys. Default: the key itself. */
  readonly idOf?: (key: string) => string;
}

/** Items with unique keys, in the order of registration. */
export class Registry<Config extends Keys & Scoped, Item extends { readonly definition: object }> {
  readonly #entries = new Map<string, Entry<Item>>();
  /** Complete list results with their JSON text: a list is built once per revision and page, not per call. */
  readonly #pages = new Map<string, object>();
  #sequence = 0;

  constructor(readonly options: RegistryOptions<Config, Item>) {}

  /** @throws SdkError `INVALID_CONFIGURATION` when the key is already registered or the configuration is invalid */
  add(key: string, config: Config): RegisteredItem<Config> {
    const { prepare } = this.options;
    let id = this.#unusedId(key);
    const entry: Entry<Item> = { key, sequence: this.#sequence++, item: prepare(key, config), enabled: true };
    this.#entries.set(id, entry);
    this.#changed(config);
    const isGone = (): boolean => this.#entries.get(id) !== entry;
    const set = (enabled: boolean): void => {
      if (entry.enabled === enabled || isGone()) return;
      entry.enabled = enabled;
      this.#changed(config);
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
          // The item keeps its position.
          const all = [...this.#entries.values()];
          this.#entries.clear();
          for (const one of all) this.#entries.set(this.#idOf(one.key), one);
        }
        this.#changed(config);
      },
      remove: () => {
        if (isGone()) return;
        this.#entries.delete(id);
        this.#changed(config);
      },
    };
  }

  /** Returns an item by its listed key or the id of that key. Other equivalent keys could bypass checks of the key. */
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
   * Returns one page of the enabled items. A cursor is the position after an item, so pages stay correct while items are
   * added and removed.
   * @throws ProtocolError -32602 for a cursor that this server did not create
   */
  page(
    cursor: string | undefined,
    context: ServerContext,
  ): { readonly items: readonly object[]; readonly nextCursor?: string } {
    const { pageSize = 1_000, define = ({ definition }) => definition, view } = this.options;
    const seen = view?.(context);
    const after = cursor === undefined ? -1 : this.#sequenceOf(cursor);
    const rest = [...this.#entries.values()].filter(
      ({ enabled, sequence, item }) => enabled && sequence > after && (!seen || seen.includes(item)),
    );
    const page = rest.slice(0, pageSize);
    const last = page.at(-1);
    const items = page.map(({ item }) => define(item, context));
    return rest.length > pageSize && last ? { items, nextCursor: this.#cursor(last.sequence) } : { items };
  }

  /** Handler of the list method: returns a page. */
  readonly list = ({ cursor }: { readonly cursor?: string }, context: ServerContext): object => {
    const { connection, client, method } = context;
    const build = (): object => {
      const { items, ...next } = this.page(cursor, context);
      for (const { _meta } of items as readonly { readonly _meta?: unknown }[])
        reportReservedMeta(connection.server.options, method, _meta, client.side.profile);
      return { [this.options.member]: items, ...next };
    };
    // Middleware may change its result, also in place: it gets a copy, and the cached text is not sent.
    if (connection.server.hasMiddleware) return JSON.parse(JSON.stringify(build())) as object;
    const key = `${client.side.revision} ${JSON.stringify(cursor)}${this.options.view?.(context)?.name ?? ""}`;
    const known = this.#pages.get(key);
    if (known) return known;
    const page = withJsonText({ ...connection.server.finishResult(context, build()) });
    if (this.#pages.size >= maxPages) this.#pages.clear();
    this.#pages.set(key, page);
    return page;
  };

  *[Symbol.iterator](): Generator<Item, void, undefined> {
    for (const { enabled, item } of this.#entries.values()) if (enabled) yield item;
  }

  #changed(config: Config): void {
    this.#pages.clear();
    this.options.changed(config);
  }

  #idOf(key: string): string {
    return this.options.idOf?.(key) ?? key;
  }

  #cursor(sequence: number): string {
    return btoa(`${this.options.kind} ${sequence}`);
  }

  #sequenceOf(cursor: string): number {
    const sequence = Number(decoded(cursor).slice(this.options.kind.length + 1));
    // Accepts only strings that `#cursor` creates.
    if (sequence >= 0 && sequence < this.#sequence && this.#cursor(sequence) === cursor) return sequence;
    throw new ProtocolError(ErrorCode.InvalidParams, "Invalid params: cursor was not returned by this server");
  }

  /** Returns the id of a key. Throws when an item other than `owner` has it. */
  #unusedId(key: string, owner?: Entry<Item>): string {
    const id = this.#idOf(key);
    const taken = this.#entries.get(id);
    if (taken && taken !== owner)
      throw new SdkError(
        "INVALID_CONFIGURATION",
        `${this.options.kind} "${key}" is already registered; update or remove it first`,
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
