import type { GatewayLoss } from "@mcpwright/runtime/gateway/losses";

/** Something that clients of a revision do not get from a server, or a server from them. */
export interface FoundLoss extends Pick<GatewayLoss, "direction" | "method" | "kind" | "at" | "text"> {
  /** `certain`: the lists or the capabilities of the server show it. `possible`: it depends on messages that come later. */
  readonly certainty: "certain" | "possible";
  /** The names or URIs of the items that lose it. Absent if it does not concern known items. */
  readonly items?: readonly string[];
}

/** What clients of a revision do not get through a gateway. */
export interface RevisionLosses {
  readonly revision: string;
  readonly losses: readonly FoundLoss[];
}

/** The losses of a server. */
export interface InspectedLosses {
  /** One for each revision of clients, newest first. */
  readonly revisions: readonly RevisionLosses[];
  /** What the server, which is a gateway, has recorded for its servers and clients so far. Absent for other servers. */
  readonly recorded?: readonly GatewayLoss[];
}
