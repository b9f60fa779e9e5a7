import type { SurfaceChange } from "./compare-with-lock.js";
import { itemKey, type ItemKind, type ServerSurface } from "./server-surface.js";

/**
 * What happens when a server shows something that was not approved, an item that is new or changed:
 *
 * - `refuse`: the server is not used.
 * - `quarantine`: new and changed items are hidden, the others work.
 * - `report`: all items work; the changes are only reported.
 *
 * Removed items hide or refuse nothing, because nothing unapproved remains.
 */
export type PinningPolicy = "refuse" | "quarantine" | "report";

/**
 * The part of a surface that may be used.
 * @param changes of `compareWithLock`, for the server and surface
 * @returns the same object, with the same lists, where nothing is hidden; undefined if the server must not be used
 */
export function applyPolicy(
  policy: PinningPolicy,
  changes: readonly SurfaceChange[],
  surface: ServerSurface,
): ServerSurface | undefined {
  const unapproved = changes.filter(({ change }) => change !== "removed");
  if (policy === "report" || unapproved.length === 0) return surface;
  if (policy === "refuse") return undefined;
  const hidden = new Set(unapproved.map((change) => (change.change === "unlocked" ? "" : itemKey(change))));
  const { instructions, tools, prompts, resources, templates } = surface;
  const keep = <Item>(kind: ItemKind, items: readonly Item[], nameOf: (item: Item) => string): readonly Item[] => {
    const kept = items.filter((item) => !hidden.has(itemKey({ kind, name: nameOf(item) })));
    return kept.length === items.length ? items : kept;
  };
  return {
    ...(instructions !== undefined && {
      instructions: hidden.has(itemKey({ kind: "instructions", name: "" })) ? "" : instructions,
    }),
    ...(tools && { tools: keep("tool", tools, ({ name }) => name) }),
    ...(prompts && { prompts: keep("prompt", prompts, ({ name }) => name) }),
    ...(resources && { resources: keep("resource", resources, ({ uri }) => uri) }),
    ...(templates && { templates: keep("template", templates, ({ uriTemplate }) => uriTemplate) }),
  };
}
