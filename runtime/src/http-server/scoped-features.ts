import type { JSONRPCRequest } from "../jsonrpc/message-types.js";
import type { HttpRequestInfo } from "../transport/message-extra.js";
import type { Principal } from "../transport/principal.js";
import type { HttpRejection } from "./rejection.js";

/** What the authorization of an endpoint knows about the principals that it has accepted. */
export interface ScopeGate {
  /** The scopes that a principal has, and those that they include. */
  grantedScopes(principal: Principal): ReadonlySet<string>;
  /** Returns why a principal may not send a request that needs these scopes; undefined if it may. */
  refusalFor(
    sender: { readonly http: HttpRequestInfo; readonly principal: Principal },
    request: JSONRPCRequest,
    scopes: readonly string[],
  ): HttpRejection | undefined;
}

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
  /** Where gates enter themselves for the principals that they accept, if the server decides about scopes when a request runs. */
  readonly gates?: WeakMap<Principal, ScopeGate>;
}
