import { INITIALIZE } from "@mcpwright/protocol/names";
import { isObject } from "../jsonrpc/guards.js";
import { measureJson } from "../jsonrpc/parse-json.js";

/** The estimated memory that a session may keep for the capabilities, and for `clientInfo`, in bytes. */
const maxBytes = 8_192;
/** The estimated memory of a value besides its text, in bytes. */
export const valueBytes = 64;
const maxNameLength = 256;

/**
 * Bounds what a session keeps of `initialize`, known members and unknown ones alike: what is too large is removed, of
 * extensions and icons only single ones. Long names are cut. Returns any other message unchanged.
 */
export function withBoundedClient(message: unknown): unknown {
  if (!isObject(message) || message["method"] !== INITIALIZE || !isObject(message["params"])) return message;
  const { capabilities, clientInfo } = message["params"];
  const params = {
    ...message["params"],
    capabilities: bounded(capabilities, { left: maxBytes }),
    clientInfo: bounded(isObject(clientInfo) ? withShortNames(clientInfo) : clientInfo, { left: maxBytes }),
  };
  return { ...message, params };
}

/** Cuts the members that are required or displayed, and puts them first. */
function withShortNames({ name, version, title, ...others }: Readonly<Record<string, unknown>>): object {
  // Unlike a slice, a parsed copy does not keep the whole string in memory.
  const cut = (value: unknown): unknown =>
    typeof value === "string" && value.length > maxNameLength
      ? JSON.parse(JSON.stringify(value.slice(0, maxNameLength)))
      : value;
  return { name: cut(name), version: cut(version), ...(title !== undefined && { title: cut(title) }), ...others };
}

/**
 * Returns a value that fits into the budget. One that does not fit loses members that do not fit themselves.
 * @param levels how many levels of objects may lose members; below them, a value is kept as a whole or not at all
 * @returns undefined for a value that is not kept
 */
function bounded(value: unknown, budget: { left: number }, levels = 2): unknown {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return undefined;
  const bytes = text.length + valueBytes * measureJson(text).values;
  if (bytes <= budget.left) {
    budget.left -= bytes;
    return value;
  }
  if (levels === 0 || typeof value !== "object" || value === null || budget.left < valueBytes) return undefined;
  budget.left -= valueBytes;
  const kept = Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const one = key.length < budget.left ? bounded(member, budget, levels - 1) : undefined;
    if (one === undefined) return [];
    budget.left -= key.length;
    return [[key, one] as const];
  });
  return Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept);
}
