import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import type { ServerContext } from "../../server/contracts.js";
import type { GatewayLoss } from "./gateway-loss.js";

/** The `_meta` key with which a client requests losses together with a list, as `true`, and under which the result has them. */
export const META_LOSSES = "mcpwright/losses";

/**
 * Whether a client requests the losses with a list. Others get none, so that lists stay small.
 * @throws ProtocolError -32602
 */
export function requestsLosses({ _meta }: Pick<ServerContext, "_meta">): boolean {
  const { [META_LOSSES]: requested = false } = _meta;
  if (typeof requested === "boolean") return requested;
  throw new ProtocolError(ErrorCode.InvalidParams, `Invalid params: _meta["${META_LOSSES}"] must be true or false`);
}

/** Adds the losses to the result of a list. They change with each message, and belong to one client. */
export function withLosses(result: { readonly _meta?: object }, losses: readonly GatewayLoss[]): object {
  return { ...result, ttlMs: 0, cacheScope: "private", _meta: { ...result._meta, [META_LOSSES]: losses } };
}
