import type { Tool } from "../../authoring.js";
import type { ScopeGate } from "../../http-server/scoped-features.js";
import type { ServerContext } from "../../server/contracts.js";
import type { Principal } from "../../transport/principal.js";
import type { JoinedItems } from "../lists/joined-items.js";

/** The sender of a request, as far as access depends on it. */
export type Sender = Pick<ServerContext, "extra">;

/** The scopes that clients need for one server. */
export interface NeededScopes {
  /** Those of everything that the server has. */
  readonly base: readonly string[];
  /** All that make a difference. */
  readonly all: readonly string[];
  /** Whether some tools need more than the others. */
  readonly differByTool: boolean;
  /** @param name that of the server */
  ofTool(name: string): readonly string[];
}

/** The OAuth scopes that clients need for a server of a gateway: `requireScopes` makes them. */
export interface ServerScopes {
  /** @internal */
  readonly needed: NeededScopes;
  /** @param gates what the endpoints know about principals @internal */
  accessTo(servers: ReadonlyMap<string, NeededScopes>, gates: WeakMap<Principal, ScopeGate>): ServerAccess;
}

/** Decides which servers and tools a client may use. */
export interface ServerAccess {
  /** Whether a client may use some of a server. */
  mayUse(sender: Sender, server: string): boolean;
  /** Whether a server has something that only some clients may use. */
  isScoped(server: string): boolean;
  /** The tools of a list that a client may call. */
  toolsFor(sender: Sender, joined: JoinedItems<Tool>): JoinedItems<Tool>;
  /**
   * @param tool the name that the server knows; undefined for anything but a tool
   * @throws ProtocolError that refuses the request, over HTTP with status 403 and the challenge `insufficient_scope`
   */
  assert(context: ServerContext, server: string, tool: string | undefined): void;
}

/** Returns the access to servers; undefined if none has scopes. */
export function accessTo(
  servers: Readonly<Record<string, { readonly scopes?: ServerScopes }>>,
  gates: WeakMap<Principal, ScopeGate>,
): ServerAccess | undefined {
  const scoped = Object.entries(servers).flatMap(([name, { scopes }]) => (scopes ? [{ name, scopes }] : []));
  return scoped[0]?.scopes.accessTo(new Map(scoped.map(({ name, scopes }) => [name, scopes.needed])), gates);
}
