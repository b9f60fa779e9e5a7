import type { ScopeGate } from "../../http-server/scoped-features.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import { REFUSAL, type Refusal } from "../../jsonrpc/refusal.js";
import type { Principal } from "../../transport/principal.js";
import type { ServerContext } from "../../server/contracts.js";
import type { JoinedItems } from "../lists/joined-items.js";
import type { Tool } from "../../authoring.js";
import type { NeededScopes, Sender, ServerAccess } from "./server-access.js";

/** How many views of one list are remembered: there is one for each set of scopes that makes a difference. */
const maxViews = 100;

/**
 * Decides which servers and tools a client may use, by the scopes of its access token. Clients that are not connected over HTTP may use all,
 * as with the `scopes` of an `McpServer`.
 */
export class ScopedAccess implements ServerAccess {
  readonly #required: ReadonlyMap<string, NeededScopes>;
  readonly #all: readonly string[];
  readonly #views = new WeakMap<JoinedItems<Tool>, Map<string, JoinedItems<Tool>>>();

  /** @param gates what the endpoints know about principals */
  constructor(
    required: ReadonlyMap<string, NeededScopes>,
    readonly gates: WeakMap<Principal, ScopeGate>,
  ) {
    this.#required = required;
    this.#all = [...new Set([...required.values()].flatMap(({ all }) => all))];
  }

  /** Whether a client may use some of a server. */
  mayUse(context: Sender, server: string): boolean {
    const required = this.#required.get(server);
    return !required || this.#has(context, required.base);
  }

  /** The same object for clients that may call the same tools. */
  toolsFor(sender: Sender, joined: JoinedItems<Tool>): JoinedItems<Tool> {
    const key = this.#all.filter((scope) => this.#has(sender, [scope])).join(" ");
    let views = this.#views.get(joined);
    if (!views) this.#views.set(joined, (views = new Map<string, JoinedItems<Tool>>()));
    const known = views.get(key);
    if (known) return known;
    const items = joined.items.filter(({ name }) => {
      const { server = "", name: own = "" } = joined.byName.get(name) ?? {};
      const needed = this.#required.get(server);
      return !needed?.differByTool || this.#has(sender, needed.ofTool(own));
    });
    const view = { ...joined, items, cacheScope: "private" } as const;
    if (views.size >= maxViews) views.clear();
    views.set(key, view);
    return view;
  }

  /** Whether a server has something that only some clients may use. */
  isScoped(server: string): boolean {
    return this.#required.has(server);
  }

  /**
   * @param tool the name that the server knows; undefined for anything but a tool
   * @throws ProtocolError that refuses the request, over HTTP with status 403 and the challenge `insufficient_scope`
   */
  assert(context: ServerContext, server: string, tool: string | undefined): void {
    const required = this.#required.get(server);
    if (!required) return;
    const scopes = tool === undefined ? required.base : required.ofTool(tool);
    if (!this.#has(context, scopes)) throw this.#refusal(context, scopes);
  }

  #has({ extra }: Sender, scopes: readonly string[]): boolean {
    if (scopes.length === 0 || (!extra?.http && !extra?.principal)) return true;
    const { principal } = extra;
    const granted = principal && this.gates.get(principal)?.grantedScopes(principal);
    return granted !== undefined && scopes.every((scope) => granted.has(scope));
  }

  #refusal({ extra, method, params, requestId: id }: ServerContext, scopes: readonly string[]): ProtocolError {
    const { principal, http } = extra ?? {};
    const gate = principal && this.gates.get(principal);
    const rejection =
      gate && http
        ? gate.refusalFor({ http, principal }, { jsonrpc: "2.0", id, method, ...(params && { params }) }, scopes)
        : undefined;
    const {
      status = 403,
      error = `Forbidden: the request needs the scopes ${scopes.join(" ")}`,
      headers,
    } = rejection ?? {};
    const refusal: Refusal = { status, retryAfter: undefined, ...(headers && { headers }) };
    const { code, message } = typeof error === "string" ? { code: ErrorCode.InvalidRequest, message: error } : error;
    return new ProtocolError(code, message, { [REFUSAL]: refusal });
  }
}
