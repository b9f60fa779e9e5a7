import type { Profile } from "@mcpwright/protocol/contract";
import { carriesProtocolVersion } from "../jsonrpc/protocol-version-meta.js";

/**
 * Returns the era of a request that a client has sent, for a program that passes older clients to another server. Batches belong to the
 * handshake era. Notifications and responses do not show their era, and count as those of the handshake era, too.
 * @example
 * ```ts
 * const served = eraOf(await request.clone().json()) === "stateless" ? handler.fetch(request) : olderServer(request);
 * ```
 * @param message the parsed JSON-RPC message
 */
export function eraOf(message: unknown): Profile["opening"] {
  return carriesProtocolVersion(message) ? "stateless" : "handshake";
}
