import {
  NOTIFICATIONS_PROMPTS_LIST_CHANGED,
  NOTIFICATIONS_RESOURCES_LIST_CHANGED,
  NOTIFICATIONS_RESOURCES_UPDATED,
  NOTIFICATIONS_TOOLS_LIST_CHANGED,
} from "@mcpwright/protocol/names";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { isSameOrBelow, normalUri } from "../rules/uris.js";

export type ListKind = "tools" | "prompts" | "resources";

/** A change of a list, or of the resource `uri`. */
export interface Change {
  readonly kind: ListKind;
  readonly uri?: string;
}

const listChanged: Readonly<Record<ListKind, string>> = {
  tools: NOTIFICATIONS_TOOLS_LIST_CHANGED,
  prompts: NOTIFICATIONS_PROMPTS_LIST_CHANGED,
  resources: NOTIFICATIONS_RESOURCES_LIST_CHANGED,
};

export function changeNotificationMethod({ kind, uri }: Change): string {
  return uri === undefined ? listChanged[kind] : NOTIFICATIONS_RESOURCES_UPDATED;
}

const changes: readonly string[] = /* @__PURE__ */ Object.values(listChanged).concat(NOTIFICATIONS_RESOURCES_UPDATED);

/** Whether a message reports a change. */
export function isChange(message: JSONRPCMessage): boolean {
  return "method" in message && changes.includes(message.method);
}

/** Whether two notifications report the same change, so that one is enough. */
export function isSameChange(one: JSONRPCMessage, other: JSONRPCMessage): boolean {
  if (!("method" in one && "method" in other) || one.method !== other.method) return false;
  return changes.includes(one.method) && one.params?.["uri"] === other.params?.["uri"];
}

/** Whether one of the watched URIs (each normalized) is `changed` or contains it. */
export function coversUri(watched: ReadonlySet<string>, changed: string): boolean {
  const uri = normalUri(changed);
  if (watched.has(uri)) return true;
  for (const one of watched) if (isSameOrBelow(uri, one)) return true;
  return false;
}
