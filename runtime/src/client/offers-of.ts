import type { ParamsDescriptor, Side } from "@mcpwright/protocol/contract";
import { hasCapability } from "../connection/capability.js";

/** Returns which rows a client with these capabilities offers: those that need none of a client, or a declared one. */
export function offersOf(capabilities: object | undefined): (row: ParamsDescriptor, side: Side) => boolean {
  return ({ capability }, { withExtensions }) =>
    !capability?.startsWith("client.") ||
    hasCapability(withExtensions?.(capabilities ?? {}) ?? capabilities, capability);
}
