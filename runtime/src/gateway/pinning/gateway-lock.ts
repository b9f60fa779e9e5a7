import { SdkError } from "../../jsonrpc/errors.js";
import { toError } from "../../jsonrpc/error-conversion.js";
import { escapeJson, quote } from "../review/escape-hidden.js";
import { canonicalText, digestOf } from "./canonical-text.js";
import { itemKey, itemKinds, type PinnedItem, pinnedItems, type ServerSurface } from "./server-surface.js";

/**
 * The items of servers that were approved. It contains the items themselves, because a digest cannot show what a description was, and
 * reviewers of the file read what they approve.
 */
export interface GatewayLock {
  readonly version: typeof lockVersion;
  /** In the order of their names. */
  readonly servers: readonly LockedServer[];
}

export interface LockedServer {
  readonly name: string;
  /** In the order of kinds and names. */
  readonly items: readonly LockedItem[];
}

export interface LockedItem extends PinnedItem {
  /** SHA-256 of the canonical JSON of `value` (RFC 8785): `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
}

export const lockVersion = 1;

/** Digests that are computed at the same time. */
const batchSize = 1_000;

/**
 * Makes a lock of what servers show now. Equal surfaces make equal locks.
 * @param surfaces by the name of the server
 * @throws SdkError `INVALID_CONFIGURATION` (as a rejection) when a server lists different items under one name, or one that is nested
 * too deep: such an item cannot be approved
 */
export async function lockOf(surfaces: ReadonlyMap<string, ServerSurface>): Promise<GatewayLock> {
  const servers: LockedServer[] = [];
  for (const [name, surface] of [...surfaces].sort(byName))
    servers.push({ name, items: await lockedItems(name, surface) });
  return { version: lockVersion, servers };
}

/** The text of the file: JSON with an indentation, in which hidden characters are escaped, so that reviews of the file show them. */
export function formatLock(lock: GatewayLock): string {
  return `${escapeJson(JSON.stringify(lock, null, 2))}\n`;
}

async function lockedItems(server: string, surface: ServerSurface): Promise<LockedItem[]> {
  const texts = new Map<string, { readonly item: PinnedItem; readonly text: string }>();
  for (const item of pinnedItems(surface)) {
    const text = textOf(server, item);
    const other = texts.get(itemKey(item));
    if (other !== undefined && other.text !== text)
      throw invalid(server, item, "is listed twice, with different definitions");
    texts.set(itemKey(item), { item, text });
  }
  const found = [...texts.values()].sort((a, b) => compareItems(a.item, b.item));
  const items: LockedItem[] = [];
  for (let start = 0; start < found.length; start += batchSize) {
    const batch = found.slice(start, start + batchSize).map(async ({ item: { kind, name }, text }) => {
      return { kind, name, digest: await digestOf(text), value: JSON.parse(text) as unknown };
    });
    items.push(...(await Promise.all(batch)));
  }
  return items;
}

function textOf(server: string, item: PinnedItem): string {
  try {
    return canonicalText(item.value);
  } catch (error) {
    throw invalid(server, item, `cannot be locked: ${toError(error).message}`);
  }
}

function invalid(server: string, { kind, name }: PinnedItem, problem: string): SdkError {
  const item = kind === "instructions" ? kind : `${kind} ${quote(name)}`;
  return new SdkError("INVALID_CONFIGURATION", `${item} of server ${quote(server)} ${problem}`);
}

function compareItems(a: PinnedItem, b: PinnedItem): number {
  return itemKinds.indexOf(a.kind) - itemKinds.indexOf(b.kind) || compare(a.name, b.name);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compare(a, b);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
