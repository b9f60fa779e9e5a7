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
  const path = pathBetween(steps, from, to, []) ?? [];
  return path.flatMap(({ losses }) => {
    const rows = losses[sender][part];
    return Object.hasOwn(rows, method) ? (rows[method] ?? []) : [];
  });
}

function pathBetween(
  steps: readonly StepLosses[],
  from: string,
  to: string,
  seen: readonly string[],
): readonly StepLosses[] | undefined {
  if (from === to) return [];
  for (const step of steps) {
    if (step.from !== from || seen.includes(step.to)) continue;
    const rest = pathBetween(steps, step.to, to, [...seen, from]);
    if (rest) return [step, ...rest];
  }
  return undefined;
}
