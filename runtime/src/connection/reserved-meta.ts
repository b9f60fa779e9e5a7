import type { Profile } from "@mcpwright/protocol/contract";
import {
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_MODEL_IMMEDIATE_RESPONSE,
  META_PROTOCOL_VERSION,
  META_RELATED_TASK,
} from "@mcpwright/protocol/names";
import { isReservedMetaKey, parseMetaKey } from "../rules/meta-key.js";
import { reportOnce, type Listener } from "./deprecation.js";

/** Keys of the protocol that authors may set, and those that a gateway receives in requests and passes on. */
const allowed: readonly string[] = [
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_MODEL_IMMEDIATE_RESPONSE,
  META_PROTOCOL_VERSION,
  META_RELATED_TASK,
];

/**
 * Reports the first key of an author's `_meta` that is malformed or reserved for the protocol to `onerror`, once per process and
 * method. It is sent nevertheless.
 */
export function reportReservedMeta(
  listener: Listener,
  method: string,
  meta: unknown,
  { reservedMetaKeys: rule }: Profile,
): void {
  if (typeof meta !== "object" || meta === null || rule === "none" || !listener.onerror) return;
  const key = Object.keys(meta).find(
    (one) => !allowed.includes(one) && (!parseMetaKey(one) || isReservedMetaKey(one, rule)),
  );
  if (key === undefined) return;
  const problem = `the _meta key "${key.slice(0, 200)}" is malformed or reserved for the protocol; use one like "com.example/name"`;
  reportOnce(listener, `_meta of ${method}`, "INVALID_CONFIGURATION", `${method}: ${problem}`);
}
