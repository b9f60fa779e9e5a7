import type { Members } from "./list-recorder.js";
import { isObject } from "../../../shared/is-object.js";

/** What is known of a server. */
export interface KnownServer {
  /** The revision of the connection. */
  readonly revision: string;
  readonly capabilities: Members;
  /** The pages of a list, as the server sent them; undefined if it did not send the list. */
  readonly pagesOf: (method: string) => readonly Members[] | undefined;
}

/** Whether a server declares a capability, such as `server.resources.subscribe`; methods without one are always offered. */
export function isOffered({ capabilities }: KnownServer, capability: string | null): boolean {
  if (capability === null) return true;
  const [owner, ...path] = capability.split(".");
  if (owner !== "server") return false;
  let node: unknown = capabilities;
  for (const name of path) node = isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;
  return isObject(node) || node === true;
}

/** Servers do not declare that they ask. Those ask that have requests during which they can. */
export function canAsk(server: KnownServer): boolean {
  return ["server.tools", "server.prompts", "server.resources"].some((capability) => isOffered(server, capability));
}
