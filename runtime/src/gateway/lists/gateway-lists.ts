import type { Prompt, Resource, ResourceTemplate, Tool } from "../../authoring.js";
import { ErrorCode, ProtocolError, ResourceNotFoundError } from "../../jsonrpc/errors.js";
import type { CacheHint } from "../../server/cache-hint.js";
import type { ServerContext } from "../../server/contracts.js";
import type { Composition } from "../composition/composition.js";
import { type ItemOrigin, joinItems, type RefusedItem } from "../composition/join-items.js";
import type { ResourceUris } from "../composition/resource-uris.js";
import { mapTool } from "../composition/result-uris.js";
import type { ListItems, ListName } from "../upstream/catalog.js";
import type { Upstream } from "../upstream/upstream.js";
import type { ServerAccess } from "../access/server-access.js";
import { LogInRequiredError } from "../log-in/log-in-required.js";
import type { LogInTools } from "../log-in/server-log-in.js";
import { gather, type Gathered, type GatherOptions, type ServerList } from "./gather.js";
import { joinHints } from "./join-hints.js";
import type { JoinedItems } from "./joined-items.js";
import { JoinedCache } from "./joined-cache.js";
import type { MissingServer } from "./missing-server.js";
import { withheldError } from "./withheld-error.js";

/** The resources and templates of all servers. */
export interface JoinedResources extends Required<CacheHint> {
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
  readonly uris: ResourceUris;
}

/** A list, and the servers whose items it lacks. */
export interface WithMissing<Joined> {
  readonly joined: Joined;
  readonly missing: readonly MissingServer[];
}

/** What lists need of the gateway. */
export interface ListsHost {
  /** Those that the client may use. */
  upstreams(context: ServerContext): readonly Upstream[];
  /** Those that it may not use, as long as it does not have more scopes. */
  hidden(context: ServerContext): readonly Upstream[];
  /** What clients may use; undefined: all. */
  access(): ServerAccess | undefined;
  /** The tools that start log-ins; undefined: users log in at no server. */
  logInTools(): LogInTools | undefined;
  composition(): Composition;
  gatherOptions(context: ServerContext, name: ListName): GatherOptions;
  /** Called once for each item that clients do not get. */
  refused(item: RefusedItem): void;
}

/** One of the two lists of resources of a server. */
interface ResourceList extends ServerList {
  readonly name: ListName;
}

/** The lists of a gateway: those of its servers, joined once for as long as none of them changes. */
export class GatewayLists {
  readonly #tools: JoinedCache<ServerList<"tools">, JoinedItems<Tool>>;
  readonly #prompts: JoinedCache<ServerList<"prompts">, JoinedItems<Prompt>>;
  readonly #resources: JoinedCache<ResourceList, JoinedResources>;

  constructor(readonly host: ListsHost) {
    this.#tools = new JoinedCache((lists) => this.#joinTools(lists));
    this.#prompts = new JoinedCache((lists) => this.#joinPrompts(lists));
    this.#resources = new JoinedCache((lists) => this.#joinResources(lists));
  }

  /** Forgets all joined lists, because the composition has changed. */
  clear(): void {
    for (const cache of [this.#tools, this.#prompts, this.#resources]) cache.clear();
  }

  tools(context: ServerContext): WithMissing<JoinedItems<Tool>> | Promise<WithMissing<JoinedItems<Tool>>> {
    const gathered = this.#gather(this.host.upstreams(context), "tools", context, this.#tools);
    const access = this.host.access();
    const logInTools = this.host.logInTools();
    if (!access && !logInTools) return gathered;
    const view = ({ joined, missing }: WithMissing<JoinedItems<Tool>>): WithMissing<JoinedItems<Tool>> => {
      const seen = access ? access.toolsFor(context, joined) : joined;
      return logInTools
        ? privately({ joined: logInTools.addTo(seen, withoutLogIn(missing)), missing })
        : { joined: seen, missing };
    };
    return gathered instanceof Promise ? gathered.then(view) : view(gathered);
  }

  prompts(context: ServerContext): WithMissing<JoinedItems<Prompt>> | Promise<WithMissing<JoinedItems<Prompt>>> {
    const gathered = this.#gather(this.host.upstreams(context), "prompts", context, this.#prompts);
    if (!this.#differs) return gathered;
    return Promise.resolve(gathered).then(privately);
  }

  async resources(context: ServerContext): Promise<WithMissing<JoinedResources>> {
    const found = await this.#resourcesOf(this.host.upstreams(context), context);
    return this.#differs ? privately(found) : found;
  }

  /** Whether clients can have different lists. */
  get #differs(): boolean {
    return this.host.access() !== undefined || this.host.logInTools() !== undefined;
  }

  async #resourcesOf(upstreams: readonly Upstream[], context: ServerContext): Promise<WithMissing<JoinedResources>> {
    const options = (name: ListName) => () => this.host.gatherOptions(context, name);
    const [resources, templates] = await Promise.all([
      gather(upstreams, "resources", context, options("resources")),
      gather(upstreams, "resourceTemplates", context, options("resourceTemplates")),
    ]);
    const lists = [...named("resources", resources.lists), ...named("resourceTemplates", templates.lists)];
    const joined = this.#resources.of(lists, identities(lists));
    return { joined, missing: [...resources.missing, ...templates.missing] };
  }

  /** Also one that the client may not use. @throws ResourceNotFoundError when no server has it; ProtocolError -32603 when a server that may have it failed */
  async resource(context: ServerContext, uri: string): Promise<{ readonly server: string; readonly uri: string }> {
    const known = this.host.composition().unlistedUris.toServer(uri) ?? this.knownUris(context).toServer(uri);
    if (known) return known;
    const { joined, missing } = await this.resources(context);
    const found = joined.uris.toServer(uri);
    if (found) return found;
    const hidden = this.host.hidden(context);
    const other = hidden.length > 0 && (await this.#resourcesOf(hidden, context)).joined.uris.toServer(uri);
    if (other) return other;
    assertNoneMissing(missing);
    throw new ResourceNotFoundError(uri);
  }

  /** The URIs of resources as clients know them now, without a request to a server. */
  knownUris(context: ServerContext): ResourceUris {
    const lists: ResourceList[] = [];
    for (const name of ["resources", "resourceTemplates"] as const)
      for (const upstream of this.host.upstreams(context)) {
        const list = upstream.current(context)?.catalog.latest(name);
        if (!list) return this.host.composition().unlistedUris;
        lists.push({ name, server: upstream.name, list });
      }
    return this.#resources.of(lists, identities(lists)).uris;
  }

  /**
   * Also one that the client may not call.
   * @returns a promise only if a list has to be requested
   * @throws ProtocolError -32602 when no server has the tool; -32603 when the only server that can have it failed
   */
  tool(context: ServerContext, name: string): ItemOrigin<Tool> | Promise<ItemOrigin<Tool>> {
    return this.#find("tools", context, name, this.#tools, "Unknown tool");
  }

  /** @throws ProtocolError as `tool` */
  prompt(context: ServerContext, name: string): ItemOrigin<Prompt> | Promise<ItemOrigin<Prompt>> {
    return this.#find("prompts", context, name, this.#prompts, "Unknown prompt");
  }

  #find<Name extends "tools" | "prompts">(
    list: Name,
    context: ServerContext,
    name: string,
    cache: JoinedCache<ServerList<Name>, JoinedItems<ListItems[Name]>>,
    problem: string,
  ): ItemOrigin<ListItems[Name]> | Promise<ItemOrigin<ListItems[Name]>> {
    const upstreams = this.host.upstreams(context);
    const owners = this.host.composition().names[list].ownersOf(name);
    const possible = owners ? upstreams.filter((one) => owners.includes(one.name)) : upstreams;
    const known: ServerList<Name>[] = [];
    for (const upstream of possible) {
      const latest = upstream.current(context)?.catalog.latest(list);
      if (latest) known.push({ server: upstream.name, list: latest });
    }
    const isKnown = known.length === possible.length;
    const found = isKnown ? cache.of(known, identities(known)).byName.get(name) : undefined;
    return found ?? this.#findAnew(possible, list, context, name, cache, problem);
  }

  async #findAnew<Name extends "tools" | "prompts">(
    possible: readonly Upstream[],
    list: Name,
    context: ServerContext,
    name: string,
    cache: JoinedCache<ServerList<Name>, JoinedItems<ListItems[Name]>>,
    problem: string,
  ): Promise<ItemOrigin<ListItems[Name]>> {
    const { joined, missing } = await this.#gather(possible, list, context, cache);
    const hidden = this.host.hidden(context);
    const owners = this.host.composition().names[list].ownersOf(name);
    const others = owners ? hidden.filter((one) => owners.includes(one.name)) : hidden;
    const route =
      joined.byName.get(name) ??
      (others.length > 0 ? (await this.#gather(others, list, context, cache)).joined.byName.get(name) : undefined);
    if (route) return route;
    const withheld = this.#withheld(possible, list, context).get(name);
    if (withheld) throw withheldError(list, name, withheld.server);
    const logIn = list === "tools" && this.#logInTool(joined as JoinedItems<Tool>, missing, name);
    if (logIn) return logIn;
    assertNoneMissing(missing);
    throw new ProtocolError(ErrorCode.InvalidParams, `${problem}: ${name.slice(0, 200)}`);
  }

  /** A tool that starts a log-in; also one that is not listed any more. */
  #logInTool(joined: JoinedItems<Tool>, missing: readonly MissingServer[], name: string): ItemOrigin<Tool> | undefined {
    const tools = this.host.logInTools();
    return tools?.addTo(joined, withoutLogIn(missing)).byName.get(name) ?? tools?.find(name);
  }

  /** The items that the pinning withholds, by the names that clients would see. */
  #withheld(
    upstreams: readonly Upstream[],
    list: "tools" | "prompts",
    context: ServerContext,
  ): ReadonlyMap<string, ItemOrigin<Tool | Prompt>> {
    const composition = this.host.composition();
    const lists = upstreams.map((upstream) => ({
      server: upstream.name,
      items: upstream.current(context)?.pinned?.withheld(list) ?? [],
      selection: list === "tools" ? composition.selectionOf(upstream.name) : undefined,
    }));
    return joinItems<Tool | Prompt>(lists, composition.names[list].nameOf).byName;
  }

  #gather<Name extends "tools" | "prompts", Joined>(
    upstreams: readonly Upstream[],
    name: Name,
    context: ServerContext,
    cache: JoinedCache<ServerList<Name>, Joined>,
  ): WithMissing<Joined> | Promise<WithMissing<Joined>> {
    const join = ({ lists, missing }: Gathered<Name>): WithMissing<Joined> => ({
      joined: cache.of(lists, identities(lists)),
      missing,
    });
    const gathered = gather(upstreams, name, context, () => this.host.gatherOptions(context, name));
    return gathered instanceof Promise ? gathered.then(join) : join(gathered);
  }

  #joinTools(lists: readonly ServerList<"tools">[]): JoinedItems<Tool> {
    const composition = this.host.composition();
    const { items, byName, refused } = joinItems(
      lists.map(({ server, list }) => ({ server, items: list.items, selection: composition.selectionOf(server) })),
      composition.names.tools.nameOf,
    );
    for (const item of refused) this.host.refused(item);
    const shown = items.map((tool) => {
      const server = byName.get(tool.name)?.server ?? "";
      return mapTool(tool, (uri) => composition.unlistedUris.toClient(server, uri));
    });
    return { items: shown, byName, ...joinHints(lists.map(({ list }) => list)) };
  }

  #joinPrompts(lists: readonly ServerList<"prompts">[]): JoinedItems<Prompt> {
    const composition = this.host.composition();
    const { items, byName, refused } = joinItems(
      lists.map(({ server, list }) => ({ server, items: list.items })),
      composition.names.prompts.nameOf,
    );
    for (const item of refused) this.host.refused(item);
    return { items, byName, ...joinHints(lists.map(({ list }) => list)) };
  }

  #joinResources(lists: readonly ResourceList[]): JoinedResources {
    const uris = this.host.composition().newUris();
    const of = <Name extends ListName>(wanted: Name): { server: string; items: readonly ListItems[Name][] }[] =>
      lists.flatMap(({ name, server, list }) =>
        name === wanted ? { server, items: list.items as readonly ListItems[Name][] } : [],
      );
    const { resources, templates, refused } = uris.join(of("resources"), of("resourceTemplates"));
    for (const item of refused) this.host.refused(item);
    return { resources, resourceTemplates: templates, uris, ...joinHints(lists.map(({ list }) => list)) };
  }
}

const privateLists = new WeakMap<CacheHint, CacheHint>();

/** The same object for the same list. */
function privately<Joined extends CacheHint>({ joined, missing }: WithMissing<Joined>): WithMissing<Joined> {
  const known = privateLists.get(joined) as Joined | undefined;
  if (known) return { joined: known, missing };
  const list: Joined = { ...joined, cacheScope: "private" };
  privateLists.set(joined, list);
  return { joined: list, missing };
}

/** @throws LogInRequiredError, ProtocolError when a server that may have an item is missing */
function assertNoneMissing(missing: readonly MissingServer[]): void {
  const [unknown] = withoutLogIn(missing);
  if (unknown !== undefined) throw new LogInRequiredError(unknown);
  const [failed] = missing;
  if (failed)
    throw new ProtocolError(ErrorCode.InternalError, `The server "${failed.server}" failed: ${failed.reason}`, failed);
}

/** The servers at which the user has not logged in. */
function withoutLogIn(missing: readonly MissingServer[]): readonly string[] {
  return missing.flatMap(({ server, logIn }) => (logIn ? server : []));
}

function named(name: ListName, lists: readonly ServerList[]): readonly ResourceList[] {
  return lists.map((one) => ({ ...one, name }));
}

function identities(lists: readonly ServerList[]): readonly object[] {
  return lists.map(({ list }) => list);
}
