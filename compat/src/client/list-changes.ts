import type {
  ListChangedHandlers,
  ListChangedOptions,
  ServerCapabilities,
  SubscriptionFilter,
} from "../types/index.js";

const kinds = ["tools", "prompts", "resources"] as const;
type Kind = (typeof kinds)[number];

/** Requests a list anew. */
export type ListFetcher = (kind: Kind) => Promise<unknown[]>;

function problemOf({ autoRefresh, debounceMs, onChanged }: ListChangedOptions<never>): string | undefined {
  if (typeof onChanged !== "function") return "onChanged must be a function";
  if (autoRefresh !== undefined && typeof autoRefresh !== "boolean") return "autoRefresh must be a boolean";
  if (debounceMs !== undefined && !(Number.isInteger(debounceMs) && debounceMs >= 0))
    return "debounceMs must be an integer that is not negative";
  return undefined;
}

/** Calls the callbacks of the option `listChanged`. */
export class ListChanges {
  readonly #timers = new Map<Kind, ReturnType<typeof setTimeout>>();

  /** @throws TypeError for invalid options, such as a missing callback */
  constructor(
    readonly options: ListChangedHandlers,
    readonly fetch: ListFetcher,
    /** Called with the error of a callback. */
    readonly failed: (error: unknown) => void,
  ) {
    for (const kind of kinds) {
      const problem = options[kind] && problemOf(options[kind]);
      if (problem !== undefined) throw new TypeError(`Invalid ${kind} listChanged options: ${problem}`);
    }
  }

  /** The lists that are watched: those with options whose changes the server reports. */
  watched(declared: ServerCapabilities | undefined): readonly Kind[] {
    return kinds.filter((kind) => this.options[kind] && declared?.[kind]?.listChanged);
  }

  /** The filter of the subscription to the watched lists; undefined if there are none. */
  filter(declared: ServerCapabilities | undefined): SubscriptionFilter | undefined {
    const watched = this.watched(declared);
    if (watched.length === 0) return undefined;
    return Object.fromEntries(watched.map((kind) => [`${kind}ListChanged`, true]));
  }

  onChange(kind: Kind): void {
    const { debounceMs = 300 } = this.options[kind] ?? {};
    clearTimeout(this.#timers.get(kind));
    if (debounceMs > 0)
      this.#timers.set(
        kind,
        setTimeout(() => this.#start(kind), debounceMs),
      );
    else this.#start(kind);
  }

  #start(kind: Kind): void {
    this.#report(kind).catch(this.failed);
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  async #report(kind: Kind): Promise<void> {
    const { autoRefresh = true, onChanged } = this.options[kind] as ListChangedOptions<unknown>;
    if (!autoRefresh) {
      onChanged(null, null);
      return;
    }
    let items: unknown[];
    try {
      items = await this.fetch(kind);
    } catch (error) {
      onChanged(error instanceof Error ? error : new Error(String(error)), null);
      return;
    }
    onChanged(null, items);
  }
}
