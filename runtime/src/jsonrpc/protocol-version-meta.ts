import { META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import { isObject } from "./guards.js";

/** Whether a message says its own revision; such messages travel alone. */
export function carriesProtocolVersion(message: unknown): boolean {
  const params = isObject(message) ? message["params"] : undefined;
  const meta = isObject(params) ? params["_meta"] : undefined;
  return isObject(meta) && meta[META_PROTOCOL_VERSION] !== undefined;
}
