import type { ListResourcesResult, ListResourceTemplatesResult, ReadResourceResult, Resource } from "../messages.js";
import { ErrorCode, McpError } from "../errors.js";
import type {
  Extra,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredResource,
  RegisteredResourceTemplate,
  ResourceMetadata,
} from "./mcp-types.js";
import type { ResourceTemplate } from "./resource-template.js";
import { type Items, registerItem } from "./registry.js";

/** The resources of a server, by URI, and its templates, by name. */
export class ResourceRegistry {
  readonly items: Items<RegisteredResource> = {};
  readonly templates: Items<RegisteredResourceTemplate> = {};

  constructor(readonly changed: () => void) {}

  /** @throws Error when there is a resource of this URI, or a template of this name */
  assertFree(name: string, target: string | ResourceTemplate): void {
    if (typeof target === "string") {
      if (this.items[target]) throw new Error(`Resource ${target} is already registered`);
    } else if (this.templates[name]) throw new Error(`Resource template ${name} is already registered`);
  }

  register(
    name: string,
    title: string | undefined,
    uri: string,
    metadata: ResourceMetadata | undefined,
    readCallback: ReadResourceCallback,
  ): RegisteredResource {
    const item = { name, title, metadata, readCallback };
    const targets = { name: "name", title: "title", metadata: "metadata", callback: "readCallback" };
    return registerItem(this.items as never, uri, item, "uri", targets, this.changed);
  }

  registerTemplate(
    name: string,
    title: string | undefined,
    resourceTemplate: ResourceTemplate,
    metadata: ResourceMetadata | undefined,
    readCallback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate {
    const item = { resourceTemplate, title, metadata, readCallback };
    const targets = {
      title: "title",
      template: "resourceTemplate",
      metadata: "metadata",
      callback: "readCallback",
    };
    return registerItem(this.templates as never, name, item, "name", targets, this.changed);
  }

  async list(extra: Extra): Promise<ListResourcesResult> {
    const resources: Resource[] = Object.entries(this.items)
      .filter(([, { enabled }]) => enabled)
      .map(([uri, { name, metadata }]) => ({ uri, name, ...metadata }));
    for (const { resourceTemplate, metadata } of Object.values(this.templates)) {
      const listed = await resourceTemplate.listCallback?.(extra);
      resources.push(...(listed?.resources ?? []).map((resource) => ({ ...metadata, ...resource })));
    }
    return { resources };
  }

  listTemplates(): ListResourceTemplatesResult {
    const resourceTemplates = Object.entries(this.templates).map(([name, { resourceTemplate, metadata }]) => ({
      name,
      uriTemplate: resourceTemplate.uriTemplate.toString(),
      ...metadata,
    }));
    return { resourceTemplates };
  }

  /** @throws McpError when no resource has the URI */
  read(requested: string, extra: Extra): ReadResourceResult | Promise<ReadResourceResult> {
    const uri = new URL(requested);
    const text = uri.toString();
    const resource = Object.hasOwn(this.items, text) ? this.items[text] : undefined;
    if (resource) {
      if (!resource.enabled) throw new McpError(ErrorCode.InvalidParams, `Resource ${text} disabled`);
      return resource.readCallback(uri, extra);
    }
    for (const { resourceTemplate, readCallback } of Object.values(this.templates)) {
      const variables = resourceTemplate.uriTemplate.match(text);
      if (variables) return readCallback(uri, variables, extra);
    }
    throw new McpError(ErrorCode.InvalidParams, `Resource ${text} not found`);
  }
}
