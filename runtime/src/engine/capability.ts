import type { Needs } from "@mcpwright/protocol/contract";
import { isObject } from "./json-rpc.js";

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
  declared: Capabilities,
): string | undefined {
  const wanted = needs.conditions?.filter(({ member, values }) => {
    const value = (params as Readonly<Record<string, unknown>> | undefined)?.[member];
    return value !== undefined && (values === undefined || values.includes(value as string));
  });
  return [needs.capability, ...(wanted ?? []).map(({ capability }) => capability)].find(
    (path) => path?.startsWith(owner) && !hasCapability(declared, path),
  ) as string | undefined;
}

/** Whether a capability, given as `client.<path>` or `server.<path>`, is declared. */
export function hasCapability(declared: Capabilities, path: string): boolean {
  let node: unknown = declared;
  for (const name of path.split(".").slice(1)) {
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
