import { RESOURCES_LIST, RESOURCES_READ, RESOURCES_TEMPLATES_LIST } from "@mcpwright/protocol/names";
import { type InputRequired, isInputRequired } from "../ask/question.js";
import type { Annotations, Icon, InputResponses, ReadResourceResult, Resource } from "../authoring.js";
import { ResourceNotFoundError, SdkError } from "../engine/errors.js";
import type { Handlers } from "../engine/routes.js";
import type { MatchedVariables } from "../uri-template.js";
import { type Ask, answered, askedToVisit } from "./asking.js";
import type { ServerContext } from "./context.js";
import { ListCache } from "./list-cache.js";
import { type Registered, Registry } from "./registry.js";
import type { ResourceTemplate } from "./resource-template.js";
import type { CacheHint } from "./server.js";

/** What clients are told about a resource besides its name and URI. */
export interface ResourceMetadata {
  /** For people; `name` is for programs. */
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: Icon[];
  /** Bytes, when that is known. */
  readonly size?: number;
  readonly _meta?: Record<string, unknown>;
}

export interface ResourceConfig extends ResourceMetadata {
  /** How long clients may keep what is read. */
  readonly cacheHint?: CacheHint;
  /** Asks the user before the resource is read. */
  readonly ask?: Ask<URL>;
}

/** What reading gives; the runtime adds what the client's revision wants besides. */
export type ResourceResult = Pick<ReadResourceResult, "contents" | "_meta"> & Partial<CacheHint>;
export type ResourceOutcome = ResourceResult | InputRequired;

/** Reads a resource. `given` holds the answers to what `ask` asked. */
export type ReadResourceCallback = (
  uri: URL,
  context: ServerContext,
  given: InputResponses,
) => ResourceOutcome | Promise<ResourceOutcome>;

/** Reads a resource of a template; throw `ResourceNotFoundError` when there is none with these variables. */
export type ReadResourceTemplateCallback = (
  uri: URL,
  variables: MatchedVariables,
  context: ServerContext,
  given: InputResponses,
) => ResourceOutcome | Promise<ResourceOutcome>;

export interface ResourceUpdate extends ResourceConfig {
  readonly name?: string;
  readonly uri?: string;
  readonly callback?: ReadResourceCallback;
}

export interface ResourceTemplateUpdate extends ResourceConfig {
  readonly name?: string;
  readonly template?: ResourceTemplate;
  readonly callback?: ReadResourceTemplateCallback;
}

export type RegisteredResource = Registered<ResourceUpdate>;
export type RegisteredResourceTemplate = Registered<ResourceTemplateUpdate>;

interface Ready<Definition> {
  readonly definition: Definition;
  readonly config: ResourceConfig;
  readonly read: (uri: URL, context: ServerContext, given: InputResponses, variables: MatchedVariables) => unknown;
}

interface ReadyTemplate extends Ready<object> {
  readonly template: ResourceTemplate;
}

/** The resources and templates of a server, and the handlers of the methods about them. */
export class Resources {
  readonly registry: Registry<ResourceUpdate, Ready<Resource>>;
  readonly templates: Registry<ResourceTemplateUpdate, ReadyTemplate>;
  readonly #lists = new ListCache();

  constructor(
    readonly pageSize: number,
    changed: () => void,
  ) {
    const dirty = (): void => {
      this.#lists.clear();
      changed();
    };
    this.registry = new Registry("resource", prepareResource, dirty);
    this.templates = new Registry("resource template", prepareTemplate, dirty);
  }

  handlers(): Handlers {
    return {
      [RESOURCES_LIST]: ({ cursor }: { cursor?: string }, context: ServerContext) => this.#list(cursor, context),
      [RESOURCES_TEMPLATES_LIST]: ({ cursor }: { cursor?: string }, context: ServerContext) =>
        this.#lists.answer(context, cursor, () => {
          const { items, ...next } = this.templates.page(cursor, this.pageSize);
          return { resourceTemplates: items.map(({ definition }) => definition), ...next };
        }),
      [RESOURCES_READ]: ({ uri }: { uri: string }, context: ServerContext) => this.#read(uri, context),
    };
  }

  /** Resources that templates list come on the last page. */
  async #list(cursor: string | undefined, context: ServerContext): Promise<object> {
    const lists = [...this.templates]
      .map(({ template }) => template.callbacks.list)
      .filter((list) => list !== undefined);
    const page = (): { resources: Resource[]; nextCursor?: string } => {
      const { items, ...next } = this.registry.page(cursor, this.pageSize);
      return { resources: items.map(({ definition }) => definition), ...next };
    };
    if (lists.length === 0) return this.#lists.answer(context, cursor, page);
    const known = page();
    if (known.nextCursor !== undefined) return known;
    const listed = await Promise.all(lists.map(async (list) => list(context)));
    return { resources: [...known.resources, ...listed.flatMap(({ resources }) => resources)] };
  }

  #read(uri: string, context: ServerContext): unknown {
    const url = URL.canParse(uri) ? new URL(uri) : undefined;
    if (!url) throw new ResourceNotFoundError(uri);
    const resource = this.registry.get(uri);
    if (resource) return read(resource, url, context, noVariables);
    for (const template of this.templates) {
      const variables = template.template.uriTemplate.match(uri);
      if (variables) return read(template, url, context, variables);
    }
    throw new ResourceNotFoundError(uri);
  }
}

const noVariables: MatchedVariables = {};

async function read(
  { config, read }: Ready<object>,
  uri: URL,
  context: ServerContext,
  variables: MatchedVariables,
): Promise<unknown> {
  const result = await answered(config.ask, uri, context, (given) => read(uri, context, given, variables)).catch(
    askedToVisit(context),
  );
  if (typeof result !== "object" || result === null) throw new TypeError(`reading ${uri.href} returned no object`);
  if (isInputRequired(result)) return result;
  if (!Array.isArray((result as Partial<ResourceResult>).contents))
    throw new TypeError(`reading ${uri.href} returned no contents`);
  // Hints mean something only where results carry them.
  return config.cacheHint && context.client.side.profile.cacheHints ? { ...config.cacheHint, ...result } : result;
}

function prepareResource(uri: string, { name, callback, ...config }: ResourceUpdate): Ready<Resource> {
  if (!URL.canParse(uri))
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `resource "${uri}" is no absolute URI (RFC 3986); begin it with a scheme`,
    );
  if (!callback) throw new SdkError("INVALID_CONFIGURATION", `resource "${uri}" has no callback`);
  return {
    definition: { uri, name: name ?? uri, ...shown(config) },
    config,
    read: callback,
  };
}

function prepareTemplate(name: string, { template, callback, ...config }: ResourceTemplateUpdate): ReadyTemplate {
  if (!template || !callback)
    throw new SdkError("INVALID_CONFIGURATION", `resource template "${name}" has no callback`);
  const { size: _none, ...metadata } = shown(config);
  return {
    definition: { uriTemplate: template.uriTemplate.toString(), name, ...metadata },
    template,
    config,
    read: (uri, context, given, variables) => callback(uri, variables, context, given),
  };
}

/** What of a configuration clients see. */
function shown({ title, description, mimeType, annotations, icons, size, _meta }: ResourceConfig): ResourceMetadata {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations && { annotations }),
    ...(icons && { icons }),
    ...(size !== undefined && { size }),
    ...(_meta && { _meta }),
  };
}
