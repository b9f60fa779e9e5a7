import type { Prompt, Resource, ResourceTemplate, Tool } from "../../authoring.js";

/**
 * What a server shows to people and models, and what they approve. Absent members are not known, and are not compared. Lists are
 * complete: an item that they lack was removed.
 *
 * All members of an item are pinned, also unknown ones and `_meta`, where extensions keep behaviour, except those that change without a
 * change of meaning:
 *
 * - `icons`: no model reads them, and the images behind their URLs can change anyway.
 * - `size` and `annotations.lastModified` of resources.
 *
 * The order of a list, and that of members, does not matter.
 */
export interface ServerSurface {
  /** The instructions of the server; empty if it has none. */
  readonly instructions?: string;
  readonly tools?: readonly Tool[];
  readonly prompts?: readonly Prompt[];
  /** Resources of most servers are data that changes: pass them only for servers with a fixed list. */
  readonly resources?: readonly Resource[];
  readonly templates?: readonly ResourceTemplate[];
}

export type ItemKind = "instructions" | "tool" | "prompt" | "resource" | "template";

/** An item of a surface, reduced to what is pinned. */
export interface PinnedItem {
  readonly kind: ItemKind;
  /** The name of a tool or prompt, the URI of a resource or template; empty for instructions. */
  readonly name: string;
  readonly value: unknown;
}

/** The kinds of items, in the order of a lock. */
export const itemKinds: readonly ItemKind[] = ["instructions", "tool", "prompt", "resource", "template"];

/** The items of a surface. */
export function* pinnedItems(surface: ServerSurface): Generator<PinnedItem, void, undefined> {
  const { instructions, tools, prompts, resources, templates } = surface;
  if (instructions) yield { kind: "instructions", name: "", value: instructions };
  for (const tool of tools ?? []) yield { kind: "tool", name: tool.name, value: withoutIcons(tool) };
  for (const prompt of prompts ?? []) yield { kind: "prompt", name: prompt.name, value: withoutIcons(prompt) };
  for (const resource of resources ?? []) yield { kind: "resource", name: resource.uri, value: withoutState(resource) };
  for (const template of templates ?? [])
    yield { kind: "template", name: template.uriTemplate, value: withoutIcons(template) };
}

/** The kinds of items that a surface states. */
export function kindsOf({ instructions, tools, prompts, resources, templates }: ServerSurface): ReadonlySet<ItemKind> {
  const given = [instructions, tools, prompts, resources, templates];
  return new Set(itemKinds.filter((_, at) => given[at] !== undefined));
}

/** A key for the kind and name of an item. */
export function itemKey({ kind, name }: Pick<PinnedItem, "kind" | "name">): string {
  return `${kind} ${name}`;
}

function withoutIcons(item: Tool | Prompt | ResourceTemplate): object {
  if (!Object.hasOwn(item, "icons")) return item;
  const { icons: _icons, ...rest } = item;
  return rest;
}

function withoutState(resource: Resource): object {
  const { icons: _icons, size: _size, annotations, ...rest } = resource;
  if (annotations === undefined) return rest;
  const { lastModified: _lastModified, ...others } = annotations;
  return Object.keys(others).length === 0 ? rest : { ...rest, annotations: others };
}
