import type { Resource, ResourceTemplate } from "../../authoring.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { normalUri } from "../../rules/uris.js";
import type { RefusedItem, ServerItems } from "./join-items.js";
import { quoted } from "./quoted.js";
import { serverLabels } from "./server-labels.js";
import { TemplateIndex, templateShape } from "./template-index.js";
import { looksWrapped, unwrapUri, wrapUri } from "./wrapped-uri.js";

/** The resources of one server, or its templates. */
export type ServerList<Item> = Omit<ServerItems<Item>, "selection">;

/** The lists of all servers as one, with the URIs that clients see, in the order of the servers and of their lists. */
export interface JoinedResources {
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplate[];
  /** Items that a server lists more than once; clients see the first. */
  readonly refused: readonly RefusedItem[];
}

/** A URI of a server. */
export interface ServerUri {
  readonly server: string;
  readonly uri: string;
}

/** The server that lists a URI; undefined if several do. */
interface Owner {
  readonly server: string | undefined;
}

const SEVERAL: Owner = { server: undefined };

/**
 * Gives each URI of several servers one meaning for clients.
 *
 * URIs and templates stay as they are while one server alone lists them. What several servers list is wrapped: it gets
 * `via-<label>+` before its scheme, or `ui://via-<label>/` for apps, whose scheme must stay. URIs of servers that begin like wrapped
 * ones are wrapped as well. With a single server nothing is wrapped. Everything depends on the lists of the last `join`; before the
 * first, all lists are empty.
 */
export class ResourceUris {
  readonly #labels: ReadonlyMap<string, string>;
  readonly #servers: ReadonlyMap<string, string>;
  readonly #single: string | undefined;
  /** By normalized URI. */
  #resources: ReadonlyMap<string, Owner> = new Map();
  /** By the shape of the template. */
  #shapes: ReadonlyMap<string, Owner> = new Map();
  #templates = new TemplateIndex();

  constructor(servers: readonly string[]) {
    this.#labels = serverLabels(servers);
    this.#servers = new Map(Array.from(this.#labels, ([server, label]) => [label, server]));
    this.#single = this.#labels.size === 1 ? servers[0] : undefined;
  }

  /**
   * Joins the lists of all servers, and remembers them. An item that does not change is the same object.
   * @throws SdkError `INVALID_CONFIGURATION` when a server is not among those of the constructor; the earlier lists stay then
   */
  join(
    resources: readonly ServerList<Resource>[],
    templates: readonly ServerList<ResourceTemplate>[],
  ): JoinedResources {
    for (const { server } of [...resources, ...templates]) this.#labelOf(server);
    const refused: RefusedItem[] = [];
    const listed = resources.map((list) => withoutRepeated(list, ({ uri }) => uri, refused));
    const listedTemplates = templates.map((list) => withoutRepeated(list, ({ uriTemplate }) => uriTemplate, refused));
    this.#resources = ownersOf(listed, ({ uri }) => normalUri(uri));
    this.#shapes = ownersOf(listedTemplates, ({ uriTemplate }) => templateShape(uriTemplate));
    this.#templates = new TemplateIndex();
    for (const { server, items } of listedTemplates)
      for (const { uriTemplate } of items) this.#templates.add(server, uriTemplate);
    return {
      resources: listed.flatMap(({ server, items }) =>
        items.map((item) => {
          const uri = this.toClient(server, item.uri);
          return uri === item.uri ? item : { ...item, uri };
        }),
      ),
      templates: listedTemplates.flatMap(({ server, items }) =>
        items.map((item) => {
          const uriTemplate = this.#templateToClient(server, item.uriTemplate);
          return uriTemplate === item.uriTemplate ? item : { ...item, uriTemplate };
        }),
      ),
      refused,
    };
  }

  /**
   * Returns what clients see for a URI in a message of a server. It stays as it is if `toServer` returns this server for it. A web link
   * (`https:` or `http:`) also stays if no server lists it, and no template of this server matches it.
   * @throws SdkError `INVALID_CONFIGURATION` when the server is not among those of the constructor
   */
  toClient(server: string, uri: string): string {
    const label = this.#labelOf(server);
    return this.#single !== undefined || this.#reaches(server, uri) ? uri : wrapUri({ label, uri });
  }

  /**
   * Returns the server of a URI, or of a template, that a client sent, and what that server knows it by. Undefined if the URI belongs to no
   * server, or to more than one: nothing lists it, and not the templates of exactly one server match it.
   */
  toServer(uri: string): ServerUri | undefined {
    if (this.#single !== undefined) return { server: this.#single, uri };
    if (looksWrapped(uri)) {
      const wrapped = unwrapUri(uri);
      const server = wrapped && this.#servers.get(wrapped.label);
      return server === undefined ? undefined : { server, uri: wrapped?.uri ?? uri };
    }
    const listed = this.#listed(uri, normalUri(uri));
    const server = listed ? listed.server : this.#templates.onlyServer(uri);
    return server === undefined ? undefined : { server, uri };
  }

  #reaches(server: string, uri: string): boolean {
    const normal = normalUri(uri);
    if (looksWrapped(uri) || looksWrapped(normal)) return false;
    const listed = this.#listed(uri, normal);
    if (listed) return listed.server === server;
    if (this.#templates.matches(server, uri)) return this.#templates.onlyServer(uri) === server;
    return /^https?:/i.test(normal);
  }

  /** The owner of a listed URI, or of a listed template, which clients send to complete its variables. */
  #listed(uri: string, normal: string): Owner | undefined {
    return this.#resources.get(normal) ?? (uri.includes("{") ? this.#shapes.get(templateShape(uri)) : undefined);
  }

  #templateToClient(server: string, template: string): string {
    if (this.#single !== undefined) return template;
    const owner = this.#resources.get(normalUri(template)) ?? this.#shapes.get(templateShape(template));
    return owner?.server === server && !looksWrapped(template)
      ? template
      : wrapUri({ label: this.#labelOf(server), uri: template });
  }

  #labelOf(server: string): string {
    const label = this.#labels.get(server);
    if (label !== undefined) return label;
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `ResourceUris does not know the server ${quoted(server)}; pass all servers to its constructor`,
    );
  }
}

function withoutRepeated<Item>(
  { server, items }: ServerList<Item>,
  idOf: (item: Item) => string,
  refused: RefusedItem[],
): ServerList<Item> {
  const seen = new Set<string>();
  const kept = items.filter((item) => {
    const name = idOf(item);
    if (!seen.has(name)) {
      seen.add(name);
      return true;
    }
    refused.push({
      server,
      name,
      reason: `server ${quoted(server)} lists ${quoted(name)} more than once; clients see the first`,
    });
    return false;
  });
  return { server, items: kept };
}

function ownersOf<Item>(lists: readonly ServerList<Item>[], keyOf: (item: Item) => string): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>();
  for (const { server, items } of lists) {
    const own = { server };
    for (const item of items) {
      const key = keyOf(item);
      const known = owners.get(key);
      if (!known) owners.set(key, own);
      else if (known.server !== server) owners.set(key, SEVERAL);
    }
  }
  return owners;
}
