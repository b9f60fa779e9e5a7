import { type Difference, differencesOf } from "./differences.js";
import type { GatewayLock } from "./gateway-lock.js";
import { itemKey, type ItemKind, kindsOf, pinnedItems, type ServerSurface } from "./server-surface.js";

interface ItemChange {
  /** The name of the server. */
  readonly server: string;
  readonly kind: ItemKind;
  /** The name of a tool or prompt, the URI of a resource or template; empty for instructions. */
  readonly name: string;
}

/** The lock does not contain the server. All its items are reported as added, too. */
export interface UnlockedServer {
  readonly change: "unlocked";
  readonly server: string;
}

export interface AddedItem extends ItemChange {
  readonly change: "added";
  readonly after: unknown;
}

export interface RemovedItem extends ItemChange {
  readonly change: "removed";
  readonly before: unknown;
}

export interface ChangedItem extends ItemChange {
  readonly change: "changed";
  /** At most 100. */
  readonly differences: readonly Difference[];
}

/** A difference between what a server shows and what was approved. */
export type SurfaceChange = UnlockedServer | AddedItem | RemovedItem | ChangedItem;

const maxDifferences = 100;

/**
 * Compares what a server shows with what was approved: first items that are new or changed, as the server lists them, then those that were
 * removed. Kinds of items that the surface does not state are not compared. If a server lists an item twice, each is compared.
 */
export function compareWithLock(lock: GatewayLock, server: string, surface: ServerSurface): readonly SurfaceChange[] {
  const locked = lock.servers.find(({ name }) => name === server);
  const changes: SurfaceChange[] = locked ? [] : [{ change: "unlocked", server }];
  const expected = new Map((locked?.items ?? []).map((item) => [itemKey(item), item]));
  const listed = new Set<string>();
  for (const item of pinnedItems(surface)) {
    const { kind, name, value } = item;
    const key = itemKey(item);
    listed.add(key);
    const approved = expected.get(key);
    if (!approved) {
      changes.push({ change: "added", server, kind, name, after: value });
      continue;
    }
    const differences = differencesOf(approved.value, value, maxDifferences);
    if (differences.length > 0) changes.push({ change: "changed", server, kind, name, differences });
  }
  const kinds = kindsOf(surface);
  for (const [key, { kind, name, value }] of expected)
    if (kinds.has(kind) && !listed.has(key)) changes.push({ change: "removed", server, kind, name, before: value });
  return changes;
}
