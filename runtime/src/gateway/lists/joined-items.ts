import type { CacheHint } from "../../server/cache-hint.js";
import type { ItemOrigin } from "../composition/join-items.js";

/** A list of tools or prompts, joined from those of the servers. */
export interface JoinedItems<Item> extends Required<CacheHint> {
  readonly items: readonly Item[];
  readonly byName: ReadonlyMap<string, ItemOrigin<Item>>;
}
