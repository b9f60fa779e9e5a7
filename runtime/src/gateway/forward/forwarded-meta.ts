import {
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_PROTOCOL_VERSION,
  META_SERVER_INFO,
  META_SUBSCRIPTION_ID,
} from "@mcpwright/protocol/names";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import type { Meta } from "../../jsonrpc/message-types.js";

/** The `_meta` key with the ids of the gateways that a request has passed. */
export const META_GATEWAYS = "mcpwright/gateways";

/** What describes one hop: client and server of each connection have their own. */
const hopKeys = new Set([
  "progressToken",
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_PROTOCOL_VERSION,
  META_SERVER_INFO,
  META_SUBSCRIPTION_ID,
  META_GATEWAYS,
  // It would become the prototype of the copy.
  "__proto__",
]);

/** More gateways in a row are a loop through gateways that do not keep the key. */
const maxGateways = 16;

/**
 * Returns the `_meta` of a request to a server: everything that the client sent, except what describes its own connection.
 * @param gateway the id of this gateway
 * @throws ProtocolError -32603 when the request has passed this gateway before
 */
export function forwardedMeta(meta: Meta | undefined, gateway: string): Meta {
  const passed: Record<string, unknown> = { [META_GATEWAYS]: pathOf(meta, gateway) };
  for (const key in meta) if (!hopKeys.has(key)) passed[key] = meta[key];
  return passed;
}

function pathOf(meta: Meta | undefined, gateway: string): readonly string[] {
  const before = meta?.[META_GATEWAYS];
  if (!Array.isArray(before)) return [gateway];
  if (before.includes(gateway) || before.length >= maxGateways)
    throw new ProtocolError(
      ErrorCode.InternalError,
      "This request has passed this gateway before: the gateway is a server of itself; remove it from its servers",
    );
  return [...(before as readonly string[]), gateway];
}

/** Returns a result without what describes the server's own connection. */
export function forwardedResult(result: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { resultType, _meta, ...rest } = result as { resultType?: unknown; _meta?: Meta };
  // The type of other results is added again for the client's revision.
  const typed = isAddedType(resultType) ? { ...rest, resultType } : rest;
  if (!_meta) return typed;
  const { [META_SERVER_INFO]: _info, ...kept } = _meta;
  return Object.keys(kept).length > 0 ? { ...typed, _meta: kept } : typed;
}

/** Whether an extension has added a result of this type. */
export function isAddedType(resultType: unknown): resultType is string {
  return typeof resultType === "string" && resultType !== "complete";
}
