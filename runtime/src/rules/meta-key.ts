import type { Profile } from "@mcpwright/protocol/contract";

/** The parts of a `_meta` key, `prefix/name`. */
export interface MetaKey {
  /** Labels separated by dots, without the slash; absent if the key has no slash. */
  readonly prefix?: string;
  /** May be empty. */
  readonly name: string;
}

const labelForm = /^[a-z](?:[a-z\d-]*[a-z\d])?$/i;
const nameForm = /^(?:[a-z\d](?:[\w.-]*[a-z\d])?)?$/i;

/**
 * Splits a `_meta` key (MCP, basic protocol: `_meta`).
 * @returns undefined if the key is malformed
 */
export function parseMetaKey(key: string): MetaKey | undefined {
  const slash = key.indexOf("/");
  const name = key.slice(slash + 1);
  if (!nameForm.test(name)) return undefined;
  if (slash < 0) return { name };
  const prefix = key.slice(0, slash);
  return prefix.split(".").every((label) => labelForm.test(label)) ? { prefix, name } : undefined;
}

/**
 * Whether the prefix of a `_meta` key is reserved for the protocol. Reserved names without a prefix, such as the progress
 * token, are not considered, and malformed keys are never reserved.
 * @param rule the rule of the revision's profile
 */
export function isReservedMetaKey(key: string, rule: Profile["reservedMetaKeys"]): boolean {
  const labels = parseMetaKey(key)?.prefix?.split(".") ?? [];
  const candidates = { none: [], lastLabels: labels.slice(0, -1), secondLabel: labels.slice(1, 2) }[rule];
  return candidates.some((label) => label === "mcp" || label === "modelcontextprotocol");
}
