import type { Side } from "@mcpwright/protocol/contract";
import type { DiscoverResult, Implementation, ServerCapabilities } from "../authoring.js";

/** The result of the handshake, or of the probe. */
export interface NegotiationResult {
  readonly side: Side;
  readonly serverCapabilities: ServerCapabilities;
  readonly serverInfo: Implementation | undefined;
  readonly instructions: string | undefined;
  /** The result of the probe, or the option `prior`. Undefined after a handshake. */
  readonly discovered?: DiscoverResult;
}
