import { stepLosses } from "@mcpwright/protocol/losses";
import type { StepLosses } from "@mcpwright/protocol/contract";
import type { GatewayLoss } from "./losses/gateway-loss.js";
import type { LossRecording } from "./losses/loss-recorder.js";
import { LossFinder } from "./losses/loss-finder.js";
import { type ConvertedMessages, lossesBetween, type StepLoss } from "./losses/losses-between.js";
import { RecordedLosses } from "./losses/recorded-losses.js";
import { type MessageLoss, relevantLosses } from "./losses/relevant-losses.js";

export type { GatewayLoss } from "./losses/gateway-loss.js";
export type { ConvertedMessages } from "./losses/losses-between.js";
export type { MessageLoss } from "./losses/relevant-losses.js";
export { META_LOSSES } from "./losses/requested-losses.js";
export type {
  ListedServers,
  LossLog,
  LossRecorder,
  LossRecording,
  LossyConnection,
  OtherLoss,
  PassedExtension,
} from "./losses/loss-recorder.js";

export interface ConversionLossesOptions {
  /** Called when losses are found, with a line for people. Each loss is reported once. Default: only the gateway's `logger` gets the line. */
  readonly onLosses?: (line: string, losses: readonly GatewayLoss[]) => void;
  /** What the steps between revisions lose, if the gateway has revisions of your own. Default: those of the published revisions. */
  readonly steps?: readonly StepLosses[];
}

/** Messages, and the revisions of their sender and their receiver. */
export interface MessagesBetween extends ConvertedMessages, Pick<StepLoss, "from" | "to"> {
  /** Whether the server runs tools as tasks of 2025-11-25. Default: `false` */
  readonly hasTasks?: boolean;
}

/** What messages lose at a step from one revision to an adjacent one. */
export interface MessageStepLoss extends MessageLoss, Pick<StepLoss, "from" | "to"> {}

/**
 * Returns what messages of a method can lose on their way through a gateway, in the order of the steps. A gateway converts results
 * of servers to the newest revision first, so that some are lost between a server and clients of the same revision, too.
 * Returns nothing if no steps lead from one revision to the other.
 * @param steps what the steps between revisions lose. Default: those of the published revisions
 * @example
 * ```ts
 * lossesOf({ from: "2025-06-18", to: "2025-03-26", sender: "client", part: "results", method: "tools/list" });
 * // [{ kind: "drop", at: "Tool.outputSchema", text: "The schema of structured content.", from: "2025-06-18", to: "2025-03-26" }]
 * ```
 */
export function lossesOf(
  { from, to, hasTasks = false, ...messages }: MessagesBetween,
  steps: readonly StepLosses[] = stepLosses,
): readonly MessageStepLoss[] {
  return lossesBetween(steps, from, to, messages).flatMap((loss) =>
    relevantLosses([loss], hasTasks).map((relevant) => ({ ...relevant, from: loss.from, to: loss.to })),
  );
}

/**
 * Lets a gateway find out what it cannot pass on, for its option `losses`. The tables of what conversions lose, which this entry contains,
 * say what messages of a method can lose; messages are not searched for it.
 * @example
 * ```ts
 * const gateway = createGateway({ servers, losses: conversionLosses({ onLosses: (line) => console.error(line) }) });
 * ```
 */
export function conversionLosses({ onLosses, steps = stepLosses }: ConversionLossesOptions = {}): LossRecording {
  return { start: (log) => new LossFinder(steps, new RecordedLosses(log, onLosses)) };
}
