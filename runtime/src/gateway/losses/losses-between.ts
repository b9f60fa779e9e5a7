import { pathBetween } from "@mcpwright/protocol/convert";
import type { ConversionLoss, ConvertedPart, Side, StepLosses } from "@mcpwright/protocol/contract";

/** Which messages are converted. */
export interface ConvertedMessages {
  readonly sender: Side["role"];
  readonly part: ConvertedPart;
  readonly method: string;
}

/** Returns what messages lose on the way from one revision to another; nothing if no steps lead there. */
export function lossesBetween(
  steps: readonly StepLosses[],
  from: string,
  to: string,
  { sender, part, method }: ConvertedMessages,
): readonly ConversionLoss[] {
  const path = pathBetween(steps, from, to) ?? [];
  return path.flatMap(({ losses }) => {
    const rows = losses[sender][part];
    return Object.hasOwn(rows, method) ? (rows[method] ?? []) : [];
  });
}
