import { META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import { isObject } from "./guards.js";

/** Whether a message names its own revision in `_meta`; such messages are not allowed in batches. */
export function carriesProtocolVersion(message: unknown): boolean {
  const params = isObject(message) ? message["params"] : undefined;
  const meta = isObject(params) ? params["_meta"] : undefined;
  return isObject(meta) && meta[META_PROTOCOL_VERSION] !== undefined;
}
