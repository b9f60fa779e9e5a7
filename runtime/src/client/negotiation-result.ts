import type { Side } from "@mcpwright/protocol/contract";
import type { Implementation, ServerCapabilities } from "../authoring.js";

/** What the two sides of a connection agreed on, or what the client found out about its server. */
export interface NegotiationResult {
  readonly side: Side;
  readonly serverCapabilities: ServerCapabilities;
  readonly serverInfo: Implementation | undefined;
  readonly instructions: string | undefined;
}
