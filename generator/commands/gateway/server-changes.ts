import type { Gateway } from "@mcpwright/runtime/gateway";
import type { ConfiguredServer } from "./configure-server.js";

/** The servers as the library takes them. */
export function optionsOf(servers: ReadonlyMap<string, ConfiguredServer>): Parameters<Gateway["update"]>[0] {
  return Object.fromEntries([...servers].map(([name, { options }]) => [name, options]));
}

/** Ends the log-ins in progress. */
export function closing(servers: Iterable<ConfiguredServer>): readonly Promise<void>[] {
  return [...servers].map((server) => server.close());
}

/** Whether the servers are the same, in the same order. */
export function isSame(
  before: ReadonlyMap<string, ConfiguredServer>,
  after: ReadonlyMap<string, ConfiguredServer>,
): boolean {
  const others = [...after.values()];
  return before.size === after.size && [...before.values()].every((server, at) => server === others[at]);
}

/** `Servers: added docs; restarted files; removed old.` */
export function changes(
  before: ReadonlyMap<string, ConfiguredServer>,
  after: ReadonlyMap<string, ConfiguredServer>,
): string {
  const named = (label: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`${label} ${names.join(", ")}`];
  const parts = [
    ...named(
      "added",
      [...after.keys()].filter((name) => !before.has(name)),
    ),
    ...named(
      "replaced",
      [...after].filter(([name, one]) => before.has(name) && before.get(name) !== one).map(([name]) => name),
    ),
    ...named(
      "removed",
      [...before.keys()].filter((name) => !after.has(name)),
    ),
  ];
  return `Servers: ${parts.length === 0 ? "in another order" : parts.join("; ")}.`;
}
