import type { Side } from "@mcpwright/protocol/contract";
import type { Implementation, ServerCapabilities } from "../authoring.js";

/** The result of the handshake, or of the probe. */
export interface NegotiationResult {
  readonly side: Side;
  readonly serverCapabilities: ServerCapabilities;
  readonly serverInfo: Implementation | undefined;
  readonly instructions: string | undefined;
}
