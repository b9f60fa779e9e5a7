import { stepLosses } from "@mcpwright/protocol/losses";
import type { StepLosses } from "@mcpwright/protocol/contract";
import type { GatewayLoss } from "./losses/gateway-loss.js";
import type { LossRecording } from "./losses/loss-recorder.js";
import { LossFinder } from "./losses/loss-finder.js";
import { RecordedLosses } from "./losses/recorded-losses.js";

export type { GatewayLoss } from "./losses/gateway-loss.js";
export type {
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
