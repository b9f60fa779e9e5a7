import { pathBetween } from "@mcpwright/protocol/convert";
import type { ConversionLoss, ConvertedPart, Side, StepLosses } from "@mcpwright/protocol/contract";
import { authoringRevision } from "../../authoring.js";

/** Which messages are converted. */
export interface ConvertedMessages {
  /** The side that sends the requests or the notifications; results go to it. */
  readonly sender: Side["role"];
  readonly part: ConvertedPart;
  readonly method: string;
}

/** A loss, and the step between adjacent revisions that causes it. */
export interface StepLoss extends ConversionLoss {
  readonly from: string;
  readonly to: string;
}

/** Returns what messages lose on the way through a gateway from one revision to another; nothing if no steps lead there. */
export function lossesBetween(
  steps: readonly StepLosses[],
  from: string,
  to: string,
  messages: ConvertedMessages,
): readonly StepLoss[] {
  const direct = lossesOnPath(steps, from, to, messages);
  // A gateway reads the results of servers in the authoring revision, which lacks something of others.
  if (messages.sender === "server") return direct;
  return [...lossesOnPath(steps, from, authoringRevision, messages), ...direct];
}

function lossesOnPath(
  steps: readonly StepLosses[],
  from: string,
  to: string,
  { sender, part, method }: ConvertedMessages,
): readonly StepLoss[] {
  const path = pathBetween(steps, from, to) ?? [];
  const all = path.flatMap((step) => {
    const rows = step.losses[sender][part];
    const losses = Object.hasOwn(rows, method) ? (rows[method] ?? []) : [];
    return losses.map((loss) => ({ ...loss, from: step.from, to: step.to }));
  });
  // Parts of a message do not matter if the receiver does not know the message.
  const unknown = all.find(({ kind, at }) => kind === "unsupported" && at === method);
  return unknown ? [unknown] : all;
}
