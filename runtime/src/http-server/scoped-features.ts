/** A registered item. */
export interface ScopedItem {
  readonly definition: {
    readonly name: string;
    readonly uri?: string;
    readonly uriTemplate?: string;
    readonly inputSchema?: unknown;
  };
  /** The configuration that it was registered with. */
  readonly config: { readonly scopes?: readonly string[] };
}

/** The registered items of one kind. */
export interface ScopedRegistry extends Iterable<ScopedItem> {
  get(key: string): ScopedItem | undefined;
}

export interface ScopedResources {
  readonly registry: ScopedRegistry;
  readonly templates: ScopedRegistry;
  /** Finds what serves a URI. */
  find(uri: string): readonly [ScopedItem, ...unknown[]] | undefined;
}

/** What a server has registered, as far as its scopes are checked. */
export interface ScopedFeatures {
  readonly tools?: { readonly registry: ScopedRegistry };
  readonly prompts?: { readonly registry: ScopedRegistry };
  readonly resources?: ScopedResources;
  /** Whether an item has, or had, `scopes`. */
  readonly isScoped?: boolean;
}
