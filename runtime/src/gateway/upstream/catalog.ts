import { PROMPTS_LIST, RESOURCES_LIST, RESOURCES_TEMPLATES_LIST, TOOLS_LIST } from "@mcpwright/protocol/names";
import type { Prompt, Resource, ResourceTemplate, Tool } from "../../authoring.js";
import type { Client } from "../../client.js";
import type { SendOptions } from "../../client/send-options.js";
import { hasCapability } from "../../connection/capability.js";
import type { ListKind } from "../../connection/change.js";
import { SdkError } from "../../jsonrpc/errors.js";
import type { CacheHint } from "../../server/cache-hint.js";

/** The items of each list. */
export interface ListItems {
  readonly tools: Tool;
  readonly prompts: Prompt;
  readonly resources: Resource;
  readonly resourceTemplates: ResourceTemplate;
}

export type ListName = keyof ListItems;

/** A list as a server sent it. The object is replaced when the list changes. */
export interface FetchedList<Name extends ListName = ListName> extends Required<CacheHint> {
  readonly items: readonly ListItems[Name][];
}

const kinds: Readonly<Record<ListName, ListKind>> = {
  tools: "tools",
  prompts: "prompts",
  resources: "resources",
  resourceTemplates: "resources",
};

const methods: Readonly<Record<ListName, string>> = {
  tools: TOOLS_LIST,
  prompts: PROMPTS_LIST,
  resources: RESOURCES_LIST,
  resourceTemplates: RESOURCES_TEMPLATES_LIST,
};

const empty: FetchedList = { items: [], ttlMs: Infinity, cacheScope: "public" };

/** What a list has at most; the rest is left out, and reported. */
const maxItems = 10_000;

interface Entry {
  list: FetchedList | undefined;
  /** When the list expires, by `performance.now()`. */
  until: number;
  fetching: Promise<FetchedList> | undefined;
  /** Counts changes, so that a list that was requested before one is not kept. */
  version: number;
  /** When the list was requested last, by `performance.now()`. */
  fetchedAt: number;
}

/**
 * Returns the items of a list that clients may use; the same object if they may use all.
 * @throws SdkError when they may use nothing of the server
 */
export type ListScreen = <Name extends ListName>(
  name: Name,
  items: readonly ListItems[Name][],
) => readonly ListItems[Name][];

/** Keeps the lists of one connection to a server until they change or expire. */
export class Catalog {
  readonly #entries = new Map<ListName, Entry>();

  /**
   * @param report is called with errors that no request gets
   * @param screen chooses from each list that the server sends
   */
  constructor(
    readonly client: Client,
    readonly report: (error: Error) => void,
    readonly screen?: ListScreen,
  ) {}

  /** The list that is known; undefined before the first, and when it must be requested again. */
  fresh<Name extends ListName>(name: Name): FetchedList<Name> | undefined {
    const entry = this.#entries.get(name);
    if (!entry?.list || entry.until < performance.now()) return undefined;
    return entry.list as FetchedList<Name>;
  }

  /** The list that was known last, also if it may have changed: enough to find the server of an item. */
  latest<Name extends ListName>(name: Name): FetchedList<Name> | undefined {
    return this.#entries.get(name)?.list as FetchedList<Name> | undefined;
  }

  /**
   * Whether the server has not changed a list since it was requested last.
   * @param maxAgeMs milliseconds after which a list expires whose changes the server does not notify of
   */
  isCurrent(name: ListName, maxAgeMs: number): boolean {
    const entry = this.#entries.get(name);
    if (!entry?.list || entry.until === -Infinity) return false;
    return Math.max(entry.until, entry.fetchedAt + maxAgeMs) >= performance.now();
  }

  /**
   * Returns a list, and requests it if necessary. Requests at the same time share one.
   * @param meta the `_meta` of the request
   */
  fetch<Name extends ListName>(name: Name, meta: object): Promise<FetchedList<Name>> {
    const fresh = this.fresh(name);
    if (fresh) return Promise.resolve(fresh);
    let entry = this.#entries.get(name);
    if (!entry)
      this.#entries.set(
        name,
        (entry = { list: undefined, until: -Infinity, fetching: undefined, version: 0, fetchedAt: -Infinity }),
      );
    return (entry.fetching ??= this.#fetch(name, entry, meta)) as Promise<FetchedList<Name>>;
  }

  /** Requests lists of this kind again when they are needed next. */
  invalidate(kind: ListKind): void {
    for (const [name, entry] of this.#entries) {
      if (kinds[name] !== kind) continue;
      entry.until = -Infinity;
      entry.fetching = undefined;
      entry.version++;
    }
  }

  async #fetch(name: ListName, entry: Entry, meta: object): Promise<FetchedList> {
    const { version } = entry;
    try {
      const list = await this.#request(name, meta);
      if (entry.version === version) {
        entry.list = isEqualList(entry.list, list) ? entry.list : list;
        entry.fetchedAt = performance.now();
        entry.until = this.#isWatched(name) ? Infinity : entry.fetchedAt + list.ttlMs;
      }
      return list;
    } finally {
      if (entry.version === version) entry.fetching = undefined;
    }
  }

  async #request(name: ListName, meta: object): Promise<FetchedList> {
    const { client } = this;
    if (!hasCapability(client.getServerCapabilities(), `server.${kinds[name]}`)) return empty;
    const result = (await listBy(client, name, { meta })) as unknown as Record<string, unknown> & Required<CacheHint>;
    const items = this.#used(name, result[name] as FetchedList["items"]);
    const { ttlMs, cacheScope } = result;
    return { items: this.screen ? this.screen(name, items) : items, ttlMs, cacheScope };
  }

  #used(name: ListName, items: FetchedList["items"]): FetchedList["items"] {
    if (items.length <= maxItems) return items;
    const message = `${methods[name]}: only the first ${maxItems} of ${items.length} items are used`;
    this.report(new SdkError("LIMIT_EXCEEDED", message));
    return items.slice(0, maxItems);
  }

  /** Whether the server notifies of changes of a list. */
  #isWatched(name: ListName): boolean {
    const declared = this.client.getServerCapabilities();
    const kind = kinds[name];
    return !hasCapability(declared, `server.${kind}`) || hasCapability(declared, `server.${kind}.listChanged`);
  }
}

function listBy(client: Client, name: ListName, options: SendOptions): Promise<object> {
  switch (name) {
    case "tools":
      return client.listTools({}, options);
    case "prompts":
      return client.listPrompts({}, options);
    case "resources":
      return client.listResources({}, options);
    case "resourceTemplates":
      return client.listResourceTemplates({}, options);
  }
}

/** Whether a list that was requested again is the same, so that what was made of it can be used again. */
function isEqualList(before: FetchedList | undefined, now: FetchedList): boolean {
  return (
    before?.items.length === now.items.length &&
    before.ttlMs === now.ttlMs &&
    before.cacheScope === now.cacheScope &&
    JSON.stringify(before.items) === JSON.stringify(now.items)
  );
}
