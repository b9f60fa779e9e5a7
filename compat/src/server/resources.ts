import type { ServerContext } from "../shared/contexts.js";
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "../shared/errors.js";
import type { InputRequiredResult, ReadResourceResult, Resource } from "../types/index.js";
import type { Variables } from "../shared/uri-template.js";
import { Items } from "./items.js";
import type {
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredResource,
  RegisteredResourceTemplate,
  ResourceMetadata,
} from "./registered.js";
import type { ResourceTemplate } from "./resource-template.js";
import type { ScopeChallengeHandler } from "./scope-challenge.js";
import type { Server } from "./server.js";
import type { CacheHint } from "./server-options.js";

/** A resource as `registerResource` gets it. */
export type ResourceDefinition = ResourceMetadata & { cacheHint?: CacheHint; scopeChallenge?: ScopeChallengeHandler };

type Outcome = ReadResourceResult | InputRequiredResult;

/** The resources and templates of a server, and the handlers of the methods about them. */
export class Resources {
  readonly #items: Items<RegisteredResource>;
  readonly #templates: Items<RegisteredResourceTemplate>;

  constructor(changed: () => void) {
    this.#items = new Items(changed);
    this.#templates = new Items(changed);
  }

  get byUri(): ReadonlyMap<string, RegisteredResource> {
    return this.#items.byKey;
  }

  get templates(): ReadonlyMap<string, RegisteredResourceTemplate> {
    return this.#templates.byKey;
  }

  install(server: Server): void {
    for (const method of ["resources/list", "resources/templates/list", "resources/read"])
      server.assertCanSetRequestHandler(method);
    server.setRequestHandler("resources/list", (_request, ctx) => this.#list(ctx));
    server.setRequestHandler("resources/templates/list", () => ({
      resourceTemplates: this.#templates.enabled().map(([name, { resourceTemplate, metadata }]) => ({
        name,
        uriTemplate: resourceTemplate.uriTemplate.toString(),
        ...metadata,
      })),
    }));
    server.setRequestHandler("resources/read", ({ params }, ctx) => this.#read(params.uri, ctx));
  }

  /** @throws Error when the URI is already registered */
  add(name: string, uri: string, config: ResourceDefinition, readCallback: ReadResourceCallback): RegisteredResource {
    if (this.#items.byKey.has(uri)) throw new Error(`Resource ${uri} is already registered`);
    const { cacheHint, scopeChallenge, ...metadata } = config;
    let key = uri;
    const resource: RegisteredResource = {
      name,
      title: metadata.title,
      metadata,
      cacheHint,
      scopeChallenge,
      readCallback,
      enabled: true,
      enable: () => resource.update({ enabled: true }),
      disable: () => resource.update({ enabled: false }),
      remove: () => resource.update({ uri: null }),
      update: ({ uri: next, callback, scopeChallenge: challenge, ...members }) => {
        key = this.#items.move(resource, key, next);
        this.#items.assign(resource, { ...members, readCallback: callback });
        if (challenge !== undefined) resource.scopeChallenge = challenge ?? undefined;
        this.#items.changed();
      },
    };
    this.#items.byKey.set(uri, resource);
    this.#items.changed();
    return resource;
  }

  /** @throws Error when the name is already registered */
  addTemplate(
    name: string,
    resourceTemplate: ResourceTemplate,
    config: ResourceDefinition,
    readCallback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate {
    if (this.#templates.byKey.has(name)) throw new Error(`Resource template ${name} is already registered`);
    const { cacheHint, scopeChallenge, ...metadata } = config;
    let key = name;
    const template: RegisteredResourceTemplate = {
      resourceTemplate,
      title: metadata.title,
      metadata,
      cacheHint,
      scopeChallenge,
      readCallback,
      enabled: true,
      enable: () => template.update({ enabled: true }),
      disable: () => template.update({ enabled: false }),
      remove: () => template.update({ name: null }),
      update: ({ name: next, template: other, callback, scopeChallenge: challenge, ...members }) => {
        key = this.#templates.move(template, key, next);
        this.#templates.assign(template, { ...members, resourceTemplate: other, readCallback: callback });
        if (challenge !== undefined) template.scopeChallenge = challenge ?? undefined;
        this.#templates.changed();
      },
    };
    this.#templates.byKey.set(name, template);
    this.#templates.changed();
    return template;
  }

  async #list(ctx: ServerContext): Promise<{ resources: Resource[] }> {
    const own = this.#items.enabled().map(([uri, { name, metadata }]) => ({ uri, name, ...metadata }));
    const listed: Resource[] = [];
    for (const [, { resourceTemplate, metadata }] of this.#templates.enabled()) {
      const found = await resourceTemplate.listCallback?.(ctx);
      // A resource without a member has that of its template.
      for (const resource of found?.resources ?? []) listed.push({ ...metadata, ...resource });
    }
    return { resources: [...own, ...listed] };
  }

  async #read(requested: string, ctx: ServerContext): Promise<Outcome> {
    if (!URL.canParse(requested))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Resource URI ${requested} is invalid`, {
        uri: requested,
        reason: "invalid_uri",
      });
    const uri = new URL(requested);
    const resource = this.#items.byKey.get(uri.href) ?? this.#items.byKey.get(requested);
    if (resource) {
      if (!resource.enabled) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Resource ${uri.href} disabled`);
      return withHint(await resource.readCallback(uri, ctx), resource.cacheHint);
    }
    const found = this.template(uri.href);
    if (!found) throw new ResourceNotFoundError(requested);
    return withHint(await found.template.readCallback(uri, found.variables, ctx), found.template.cacheHint);
  }

  /** The template of a URI, with the values of its variables. */
  template(uri: string): { readonly template: RegisteredResourceTemplate; readonly variables: Variables } | undefined {
    for (const [, template] of this.#templates.enabled()) {
      const variables = template.resourceTemplate.uriTemplate.match(uri);
      if (variables) return { template, variables };
    }
    return undefined;
  }
}

/** Adds a cache hint to a result that has none; the runtime removes it for clients whose revision has none. */
function withHint(result: Outcome, hint: CacheHint | undefined): Outcome {
  return hint && (result as { resultType?: unknown }).resultType !== "input_required" ? { ...hint, ...result } : result;
}
