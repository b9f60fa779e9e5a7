/** The items of a server by name or URI, in the order of their registration. */
export type Items<Item> = Record<string, Item>;

interface Switch {
  enabled: boolean;
  enable(): void;
  disable(): void;
  remove(): void;
}

/**
 * Adds an item to a registry, with functions that change it.
 * @param key the member of updates with the item's new name or URI
 * @param targets the members of updates that are members of the item, with the names that they have there
 */
export function registerItem<Item extends object>(
  items: Items<Item & Switch>,
  name: string,
  item: Item,
  key: "name" | "uri",
  targets: Readonly<Record<string, string | ((value: never) => object)>>,
  changed: () => void,
): Item & Switch & { update(updates: object): void } {
  let current = name;
  const update = (given: object): void => {
    const updates = given as Readonly<Record<string, unknown>>;
    const next = updates[key] as string | null | undefined;
    if (next !== undefined && next !== current) {
      // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- programs read the registry as an object
      delete items[current];
      if (next !== null && next !== "") items[(current = next)] = registered;
    }
    for (const [member, target] of Object.entries(targets)) {
      const value = updates[member];
      if (value === undefined) continue;
      Object.assign(registered, typeof target === "string" ? { [target]: value } : target(value as never));
    }
    if (updates["enabled"] !== undefined) registered.enabled = updates["enabled"] as boolean;
    changed();
  };
  const registered = Object.assign(item, {
    enabled: true,
    enable: () => update({ enabled: true }),
    disable: () => update({ enabled: false }),
    remove: () => update({ [key]: null }),
    update,
  });
  items[name] = registered;
  return registered;
}
