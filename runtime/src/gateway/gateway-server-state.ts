import type { Implementation } from "../authoring.js";
import type { UpstreamState } from "./upstream/upstream-host.js";

/** A server behind a gateway, as `servers` returns it. */
export interface GatewayServerState extends UpstreamState {
  readonly name: string;
  /** The revision of the server; undefined before the first connection. */
  readonly revision: string | undefined;
  readonly info: Implementation | undefined;
  /** Where the server is, by its options. */
  readonly transport: "url" | "memory" | "custom";
  /** How many tools it listed last; undefined before. */
  readonly tools: number | undefined;
  /** Requests of clients since the gateway has the server, without those for lists. */
  readonly calls: number;
  readonly failedCalls: number;
}
