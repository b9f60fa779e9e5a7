import { serverFolders } from "./config-fields.js";

/** The names of members and the indexes of items from the root of the configuration to a value. */
export type Pointer = readonly string[];

/** Whether the value belongs to a server. */
export function serverOf([folder, name]: Pointer): string | undefined {
  return (serverFolders as readonly string[]).includes(folder ?? "") ? name : undefined;
}

/** A field for people: `env.TOKEN of the server github`, `gateway.names`. */
export function fieldLabel(pointer: Pointer): string {
  const server = serverOf(pointer);
  if (server === undefined) return pointer.length === 0 ? "the configuration" : path(pointer);
  const inner = pointer.slice(2);
  const label = `the server ${quoteName(server)}`;
  return inner.length === 0 ? label : `${path(inner)} of ${label}`;
}

/** The name of a server, in quotes unless it is one word. */
export function quoteName(name: string): string {
  return /^[\w.@/-]+$/.test(name) ? name : JSON.stringify(name);
}

function path(names: Pointer): string {
  return names.map((name, at) => (/^\d+$/.test(name) ? `[${name}]` : `${at === 0 ? "" : "."}${name}`)).join("");
}
