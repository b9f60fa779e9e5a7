import { RESOURCES_LIST, RESOURCES_READ, RESOURCES_TEMPLATES_LIST } from "@mcpwright/protocol/names";
import type { InputResponses, Resource } from "../authoring.js";
import type { MethodHandlers } from "../connection/dispatch-table.js";
import { isInputRequired } from "../input-requests/input-required.js";
import { ResourceNotFoundError, SdkError } from "../jsonrpc/errors.js";
import { isObject, ownMember } from "../jsonrpc/guards.js";
import { parseUrl } from "../jsonrpc/parse-url.js";
import { normalUri } from "../rules/uris.js";
import type { MatchedVariables } from "../uri-template.js";
import { checkCacheHint } from "./cache-hint.js";
import type { Completers } from "./completions.js";
import type { ServerContext } from "./contracts.js";
import type { McpServerOptions } from "./mcp-server-options.js";
import { omitNullish } from "./omit-nullish.js";
import { Registry, type Scoped } from "./registry.js";
import type { ResourceConfig, ResourceMetadata, ResourceTemplateUpdate, ResourceUpdate } from "./resource-config.js";
import type { ListedResources, ResourceTemplate } from "./resource-template.js";
import { runWithInputResponses } from "./run-with-input-responses.js";

interface PreparedResource<Definition> {
  readonly definition: Definition;
  readonly config: ResourceConfig;
  readonly read: (uri: URL, context: ServerContext, responses: InputResponses, variables: MatchedVariables) => unknown;
}

interface PreparedTemplate extends PreparedResource<{ readonly name: string; readonly uriTemplate: string }> {
  readonly template: ResourceTemplate;
}

/** The resources and templates of a server, and the handlers of the methods about them. */
export class Resources {
  readonly registry: Registry<ResourceUpdate, PreparedResource<Resource>>;
  readonly templates: Registry<ResourceTemplateUpdate, PreparedTemplate>;

  /** @param onCompleters called when a template has completers */
  constructor({ pageSize }: McpServerOptions, changed: (config: Scoped) => void, onCompleters: () => void) {
    this.registry = new Registry({
      kind: "resource",
      member: "resources",
      key: "uri",
      idOf: normalUri,
      pageSize,
      prepare: prepareResource,
      changed,
    });
    this.templates = new Registry({
      kind: "resource template",
      member: "resourceTemplates",
      pageSize,
      prepare: (name, update) => {
        const ready = prepareTemplate(name, update);
        if (ready.template.callbacks.complete) onCompleters();
        return ready;
      },
      changed,
    });
  }

  handlers(): MethodHandlers {
    return {
      [RESOURCES_LIST]: (params: { cursor?: string }, context: ServerContext) => this.#list(params, context),
      [RESOURCES_TEMPLATES_LIST]: this.templates.list,
      [RESOURCES_READ]: ({ uri }: { uri: string }, context: ServerContext) => this.#read(uri, context),
    };
  }

  /** Returns the completers of the template with this URI template; for a resource, an empty object. */
  completers(uri: string): Completers | undefined {
    for (const { template } of this.templates)
      if (template.uriTemplate.toString() === uri) return template.callbacks.complete ?? {};
    return this.registry.get(uri) && {};
  }

  /** Returns a page of resources: first the registered ones, then the pages of all templates together. */
  async #list(params: { readonly cursor?: string }, context: ServerContext): Promise<object> {
    const lists = [...this.templates].flatMap(({ definition, template: { callbacks } }) =>
      callbacks.list ? [{ ...definition, list: callbacks.list }] : [],
    );
    if (lists.length === 0) return this.registry.list(params, context);
    const open = templateCursors(params.cursor);
    const { items, ...next } = open ? { items: [] } : this.registry.page(params.cursor, context);
    if (next.nextCursor !== undefined) return { resources: items, ...next };
    const cursors: [name: string, cursor: string][] = [];
    const listed = lists.map(async ({ name, uriTemplate, list }) => {
      const cursor = ownMember(open, name);
      if (open && cursor === undefined) return [];
      const { resources, nextCursor } = (await list(context, cursor)) as Partial<ListedResources>;
      if (!Array.isArray(resources))
        throw new TypeError(`the list callback of ${uriTemplate} must return an array of resources`);
      if (nextCursor !== undefined) cursors.push([name, nextCursor]);
      return resources as Resource[];
    });
    const resources = [...items, ...(await Promise.all(listed)).flat()];
    if (cursors.length === 0) return { resources };
    return { resources, nextCursor: btoa(encodeURIComponent(JSON.stringify(Object.fromEntries(cursors)))) };
  }

  #read(uri: string, context: ServerContext): unknown {
    const url = parseUrl(uri);
    if (!url) throw new ResourceNotFoundError(uri);
    // `required-scopes.ts` looks for the scopes in the same order.
    const resource = this.registry.get(uri);
    if (resource) return read(resource, url, context);
    for (const template of this.templates) {
      const variables = template.template.uriTemplate.match(uri);
      if (variables) return read(template, url, context, variables);
    }
    throw new ResourceNotFoundError(uri);
  }
}

/** Returns the cursors of the templates that have more pages, by name; undefined if the cursor is not of this kind. */
function templateCursors(cursor: string | undefined): Readonly<Record<string, string>> | undefined {
  try {
    const cursors: unknown = JSON.parse(decodeURIComponent(atob(cursor ?? "")));
    if (isObject(cursors) && Object.values(cursors).every((one) => typeof one === "string"))
      return cursors as Readonly<Record<string, string>>;
  } catch {
    // A cursor of the registered resources is not JSON.
  }
  return undefined;
}

async function read(
  { config, read }: PreparedResource<object>,
  uri: URL,
  context: ServerContext,
  variables: MatchedVariables = {},
): Promise<unknown> {
  const result = await runWithInputResponses(config.inputRequests, uri, context, (responses) =>
    read(uri, context, responses, variables),
  );
  if (!isObject(result)) throw new TypeError(`the callback of ${uri.href} must return an object`);
  if (isInputRequired(result)) return result;
  if (!Array.isArray(result["contents"]))
    throw new TypeError(`the callback of ${uri.href} must return an array of contents`);
  // Only revisions with cache hints in results use them.
  return config.cacheHint && context.client.side.profile.cacheHints ? { ...config.cacheHint, ...result } : result;
}

function prepareResource(uri: string, { name, callback, ...config }: ResourceUpdate): PreparedResource<Resource> {
  if (!parseUrl(uri))
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `resource "${uri}" is not an absolute URI (RFC 3986); begin it with a scheme`,
    );
  if (/[{}]/.test(uri))
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `resource "${uri}" is not a URI; for a template, pass new ResourceTemplate(…)`,
    );
  if (!callback) throw new SdkError("INVALID_CONFIGURATION", `resource "${uri}" has no callback`);
  if (config.cacheHint) checkCacheHint(`resource "${uri}"`, config.cacheHint);
  return {
    definition: { uri, name: name ?? uri, ...visibleMetadata(config) },
    config,
    read: callback,
  };
}

function prepareTemplate(name: string, { template, callback, ...config }: ResourceTemplateUpdate): PreparedTemplate {
  if (!template || !callback)
    throw new SdkError("INVALID_CONFIGURATION", `resource template "${name}" has no callback`);
  const uriTemplate = template.uriTemplate.toString();
  if (!/^(\{|[a-z][a-z\d+.-]*[{:])/i.test(uriTemplate))
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `resource template "${uriTemplate}" does not expand to absolute URIs (RFC 3986); begin it with a scheme`,
    );
  if (config.cacheHint) checkCacheHint(`resource template "${name}"`, config.cacheHint);
  const { size: _none, ...metadata } = visibleMetadata(config);
  return {
    definition: { uriTemplate, name, ...metadata },
    template,
    config,
    read: (uri, context, responses, variables) => callback(uri, variables, context, responses),
  };
}

/** Returns the metadata of a configuration, which clients receive. */
function visibleMetadata({
  title,
  description,
  mimeType,
  annotations,
  icons,
  size,
  _meta,
}: ResourceConfig): ResourceMetadata {
  return omitNullish({ title, description, mimeType, annotations, icons, size, _meta });
}
