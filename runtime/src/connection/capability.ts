import type { Needs } from "@mcpwright/protocol/contract";
import { isObject } from "../jsonrpc/guards.js";

/** Capabilities as a side declares them: a tree in which an object or `true` declares a capability. */
export type Capabilities = Readonly<Record<string, unknown>>;

/**
 * Finds the first capability that a message needs and that `declared` does not contain.
 * @param owner the side that declared `declared`; capabilities of the other side are ignored
 * @returns the path of the missing capability, such as `client.elicitation.url`; undefined when none is missing
 */
export function missingCapability(
  needs: Needs,
  params: object | undefined,
  owner: "client" | "server",
  declared: object | undefined,
): string | undefined {
  const { capability, conditions } = needs;
  // The more specific capabilities come first: declaring one also declares its parents.
  if (conditions)
    for (const { member, values, capability: path } of conditions) {
      const value = (params as Readonly<Record<string, unknown>> | undefined)?.[member];
      const isNeeded = value !== undefined && (values === undefined || values.includes(value as string));
      if (isNeeded && lacks(owner, declared, path)) return path;
    }
  return capability !== null && lacks(owner, declared, capability) ? capability : undefined;
}

function lacks(owner: string, declared: object | undefined, path: string): boolean {
  return path.startsWith(owner) && !hasCapability(declared, path);
}

/** Caches the split paths, which every request needs. The paths come from tables, so their number is bounded. */
const namesOf = /* @__PURE__ */ new Map<string, readonly string[]>();

/** Whether a capability, given as `client.<path>` or `server.<path>`, is declared. */
export function hasCapability(declared: object | undefined, path: string): boolean {
  let node: unknown = declared;
  let names = namesOf.get(path);
  if (!names) namesOf.set(path, (names = path.split(".").slice(1)));
  for (const name of names) {
    node = isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;
  }
  return isObject(node) || node === true;
}

/** Converts a path to the tree that declares it: `client.elicitation.url` to `{ elicitation: { url: {} } }`. */
export function capabilityTree(path: string): object {
  return path
    .split(".")
    .slice(1)
    .reduceRight<object>((inner, name) => ({ [name]: inner }), {});
}
