import type { Outcome } from "../../../test/interop/target.js";
import { type Loss, lossOf } from "./losses.js";
import type { ClientSide, ServerSide } from "./sides.js";

/** The outcome of a feature between a client and a server. */
export interface GatewayCell extends Outcome {
  readonly client: ClientSide;
  readonly server: ServerSide;
  /** The documented loss that explains the problem. */
  readonly loss?: Loss;
}

/** Compares an outcome with the documented losses: each must show its evidence, and a feature that works must not be listed. */
export function judge(client: ClientSide, server: ServerSide, outcome: Outcome): GatewayCell {
  const { feature, problem } = outcome;
  const loss = lossOf(feature, client, server);
  const cell = { ...outcome, client, server };
  if (!loss) return cell;
  if (problem === undefined && loss.sometimes) return { ...cell, loss };
  if (problem === undefined) return { ...cell, problem: `it works, but is listed as a loss: ${loss.what}` };
  return loss.evidence.test(problem) ? { ...cell, loss } : cell;
}

export function isFailure({ problem, loss }: GatewayCell): boolean {
  return problem !== undefined && !loss;
}
