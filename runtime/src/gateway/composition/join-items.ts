import { quoted } from "./quoted.js";

/** The items of one server, such as its tools. */
export interface ServerItems<Item> {
  readonly server: string;
  readonly items: readonly Item[];
  /** Chooses and changes items, such as `SelectedTools`. Default: all, as they are. */
  readonly selection?: { select(item: Item): Item | undefined } | undefined;
}

/** Where an item of the joined list comes from. */
export interface ItemOrigin<Item> {
  readonly server: string;
  /** The name that the server knows. */
  readonly name: string;
  /** The item as the server listed it. */
  readonly item: Item;
}

/** An item that is not in the joined list. */
export interface RefusedItem {
  readonly server: string;
  /** The name or URI that the server knows. */
  readonly name: string;
  /** Why, and what to do. */
  readonly reason: string;
}

/** The items of all servers as one list. */
export interface JoinedItems<Item> {
  /** With the names that clients see, in the order of the servers and of their lists. */
  readonly items: readonly Item[];
  /** By the name that clients see. */
  readonly byName: ReadonlyMap<string, ItemOrigin<Item>>;
  readonly refused: readonly RefusedItem[];
}

/**
 * Joins tools, or prompts, of several servers. An item that would get the name of an earlier one is refused, as is an item whose
 * name the scheme cannot make. Items that a selection hides are in neither list.
 * @param nameOf the name that clients see, from the server and its name of the item after the selection: `nameScheme(…).nameOf`
 */
export function joinItems<Item extends { readonly name: string }>(
  lists: readonly ServerItems<Item>[],
  nameOf: (server: string, name: string) => string,
): JoinedItems<Item> {
  const items: Item[] = [];
  const byName = new Map<string, ItemOrigin<Item>>();
  const refused: RefusedItem[] = [];
  for (const { server, items: listed, selection } of lists) {
    for (const item of listed) {
      const selected = selection ? selection.select(item) : item;
      if (!selected) continue;
      const origin = { server, name: item.name, item };
      let name: string;
      try {
        name = nameOf(server, selected.name);
      } catch (error) {
        refused.push({ server, name: item.name, reason: error instanceof Error ? error.message : String(error) });
        continue;
      }
      const earlier = byName.get(name);
      if (earlier) {
        refused.push({ server, name: item.name, reason: whyRefused(name, earlier, origin) });
        continue;
      }
      byName.set(name, origin);
      items.push(name === selected.name ? selected : { ...selected, name });
    }
  }
  return { items, byName, refused };
}

function whyRefused(name: string, earlier: ItemOrigin<unknown>, later: ItemOrigin<unknown>): string {
  const server = `server ${quoted(later.server)}`;
  if (earlier.server === later.server && earlier.name === later.name)
    return `${server} lists ${quoted(later.name)} more than once; clients see the first`;
  const other =
    earlier.server === later.server ? "of the same server" : `of server ${quoted(earlier.server)}, which comes first`;
  return `${quoted(later.name)} of ${server} would have the name ${quoted(name)}, which clients see for ${quoted(earlier.name)} ${other}; rename one of them, or choose another scheme of names`;
}
