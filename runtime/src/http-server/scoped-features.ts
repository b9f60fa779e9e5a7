/** A registered item. */
export interface ScopedItem {
  readonly definition: {
    readonly name: string;
    readonly uri?: string;
    readonly uriTemplate?: string;
    readonly inputSchema?: unknown;
  };
  /** Of a template: finds the variables in a URI. */
  readonly template?: { readonly uriTemplate: { match(uri: string): object | null } };
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
}

/** What a server has registered, as far as its scopes are checked. */
export interface ScopedFeatures {
  readonly tools?: { readonly registry: ScopedRegistry };
  readonly prompts?: { readonly registry: ScopedRegistry };
  readonly resources?: ScopedResources;
  /** Whether an item has, or had, `scopes`. */
  readonly isScoped?: boolean;
}
