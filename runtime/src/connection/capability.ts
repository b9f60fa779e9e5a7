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
const known = /* @__PURE__ */ new Map<string, readonly string[]>();

/** Splits a path into the names of its members. The id of an extension is one name, although it contains dots. */
function namesOf(path: string): readonly string[] {
  let names = known.get(path);
  if (!names) known.set(path, (names = path.split(/(?<!\.extensions\..*)\./).slice(1)));
  return names;
}

/** Whether a capability, given as `client.<path>` or `server.<path>`, is declared. */
export function hasCapability(declared: object | undefined, path: string): boolean {
  let node: unknown = declared;
  for (const name of namesOf(path)) {
    node = isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;
  }
  return isObject(node) || node === true;
}

/** Converts a path to the tree that declares it: `client.elicitation.url` to `{ elicitation: { url: {} } }`. */
export function capabilityTree(path: string): object {
  return namesOf(path).reduceRight<object>((inner, name) => ({ [name]: inner }), {});
}
