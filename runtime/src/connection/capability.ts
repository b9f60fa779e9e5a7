import type { Needs } from "@mcpwright/protocol/contract";
import { isObject } from "../jsonrpc/guards.js";

/** Capabilities as a side declares them: a tree in which the presence of an object, or `true`, means yes. */
export type Capabilities = Readonly<Record<string, unknown>>;

/**
 * Finds the first capability that a message needs and `declared` does not have.
 * @param owner whose capabilities `declared` are; what the other side must have declared is not looked at
 * @returns the path of what is missing, `client.elicitation.url`; undefined when nothing is
 */
export function missingCapability(
  needs: Needs,
  params: object | undefined,
  owner: "client" | "server",
  declared: object | undefined,
): string | undefined {
  const { capability, conditions } = needs;
  // Whoever declares the particular declares what it is part of.
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

/** The parts of paths, which come from tables: they are looked at with every request. */
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

/** `client.elicitation.url` as the tree that declares it: `{ elicitation: { url: {} } }`. */
export function capabilityTree(path: string): object {
  return path
    .split(".")
    .slice(1)
    .reduceRight<object>((inner, name) => ({ [name]: inner }), {});
}
