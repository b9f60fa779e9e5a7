import {
  COMPLETION_COMPLETE,
  PROMPTS_GET,
  RESOURCES_READ,
  RESOURCES_SUBSCRIBE,
  RESOURCES_UNSUBSCRIBE,
  SUBSCRIPTIONS_LISTEN,
  TOOLS_CALL,
} from "@mcpwright/protocol/names";
import type { ScopedFeatures, ScopedItem, ScopedResources } from "../../http-server/scoped-features.js";
import type { JSONRPCRequest } from "../../jsonrpc/message-types.js";
import { isSameOrBelow, normalUri } from "../../rules/uris.js";
import { checkScopes } from "../check-scopes.js";

/**
 * Checks the scopes of all registered items. Items that are registered later are checked when they are used.
 * @throws SdkError `INVALID_CONFIGURATION` with the item whose scopes are not valid
 */
export function assertScopes({ tools, prompts, resources }: ScopedFeatures): void {
  for (const registry of [tools?.registry, prompts?.registry, resources?.registry, resources?.templates])
    for (const item of registry ?? []) scopesOf(item);
}

/**
 * Returns the scopes of the tools, resources and prompts that a request is for. Its params are not validated yet: those that name
 * nothing need no scopes.
 * @throws SdkError `INVALID_CONFIGURATION` with the item whose scopes are not valid
 */
export function requiredScopes(features: ScopedFeatures, request: JSONRPCRequest): readonly string[] {
  return [...items(features, request)].flatMap((item) => (item ? scopesOf(item) : []));
}

function scopesOf({ definition, config }: ScopedItem): readonly string[] {
  const { scopes } = config;
  return scopes === undefined ? [] : checkScopes(scopes, `scopes of ${titleOf(definition)}`);
}

/** The item as other messages about its registration name it. */
function titleOf({ name, uri, uriTemplate, inputSchema }: ScopedItem["definition"]): string {
  if (uri !== undefined) return `resource "${uri}"`;
  return `${uriTemplate === undefined ? (inputSchema ? "tool" : "prompt") : "resource template"} "${name}"`;
}

function items(
  { tools, prompts, resources }: ScopedFeatures,
  { method, params }: JSONRPCRequest,
): Iterable<ScopedItem | undefined> {
  const { name, uri, ref, notifications } = Object(params) as Readonly<Record<string, unknown>>;
  switch (method) {
    case TOOLS_CALL:
      return [tools?.registry.get(textOf(name))];
    case PROMPTS_GET:
      return [prompts?.registry.get(textOf(name))];
    case COMPLETION_COMPLETE: {
      const named = Object(ref) as { readonly type?: unknown; readonly name?: unknown; readonly uri?: unknown };
      return named.type === "ref/prompt"
        ? [prompts?.registry.get(textOf(named.name))]
        : completed(resources, textOf(named.uri));
    }
    case RESOURCES_READ:
      return [resources && itemOf(resources, textOf(uri))];
    case RESOURCES_SUBSCRIBE:
    case RESOURCES_UNSUBSCRIBE:
      return watched(resources, textOf(uri));
    case SUBSCRIPTIONS_LISTEN: {
      const { resourceSubscriptions } = Object(notifications) as { readonly resourceSubscriptions?: unknown };
      return [resourceSubscriptions].flat().flatMap((one) => [...watched(resources, textOf(one))]);
    }
    default:
      return [];
  }
}

/** The resource or the first template that a URI belongs to, as when it is read. */
function itemOf({ registry, templates }: ScopedResources, uri: string): ScopedItem | undefined {
  const resource = registry.get(uri);
  if (resource) return resource;
  for (const item of templates) if (item.template?.uriTemplate.match(uri)) return item;
  return undefined;
}

/** The template with this URI template, or the resource with this URI. */
function completed(resources: ScopedResources | undefined, uri: string): Iterable<ScopedItem | undefined> {
  for (const template of resources?.templates ?? []) if (template.definition.uriTemplate === uri) return [template];
  return [resources?.registry.get(uri)];
}

/** What a subscription to a URI reports changes of: everything at and below it, however the client spells it. */
function* watched(resources: ScopedResources | undefined, uri: string): Generator<ScopedItem> {
  if (!resources || uri === "") return;
  const place = normalUri(uri);
  const found = itemOf(resources, uri) ?? itemOf(resources, place);
  if (found) yield found;
  for (const item of resources.registry) if (isSameOrBelow(normalUri(item.definition.uri ?? ""), place)) yield item;
  if (found) return;
  // Nothing has this URI itself, but resources of templates may be below it.
  for (const template of resources.templates) {
    const prefix = normalPrefix(template.definition.uriTemplate ?? "");
    if (isSameOrBelow(prefix, place) || place.startsWith(prefix)) yield template;
  }
}

/** What normalized URIs of a template begin with: its text before the first variable. */
function normalPrefix(uriTemplate: string): string {
  const [prefix = ""] = uriTemplate.split("{", 1);
  const lowered = prefix.replace(/^[^:/]*:/, (scheme) => scheme.toLowerCase());
  const normal = normalUri(lowered);
  // A host that is cut off gets a slash.
  return lowered.endsWith("/") ? normal : normal.replace(/\/$/, "");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
