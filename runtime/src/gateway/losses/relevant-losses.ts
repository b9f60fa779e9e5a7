import type { ConversionLoss } from "@mcpwright/protocol/contract";
import type { GatewayLoss } from "./gateway-loss.js";

/** What conversions lose and a gateway does not: it translates results that ask for input, and never asks for a task of 2025-11-25. */
const carried = new Set([
  "Result.resultType",
  "InputRequiredResult",
  "CreateTaskResult",
  "TaskAugmentedRequestParams.task",
]);

const kinds: Readonly<Record<ConversionLoss["kind"], GatewayLoss["kind"] | undefined>> = {
  fill: undefined,
  drop: "drop",
  substitute: "change",
  function: "change",
  refuse: "refuse",
  unsupported: "unsupported",
};

/** What is lost at one place. */
export type MessageLoss = Pick<GatewayLoss, "kind" | "at" | "text">;

/**
 * Returns the losses of conversions that are losses of a gateway, too, each once.
 * @param hasTasks whether the server runs tools as tasks of 2025-11-25
 */
export function relevantLosses(all: readonly ConversionLoss[], hasTasks: boolean): readonly MessageLoss[] {
  const found = new Map<string, MessageLoss>();
  for (const { kind: conversion, at, text } of all) {
    const kind = kinds[conversion];
    if (kind === undefined || carried.has(at) || isRewritten(text)) continue;
    if (at === "Tool.execution" && !hasTasks) continue;
    found.set(`${kind} ${at}`, { kind, at, text });
  }
  return [...found.values()];
}

/** Texts of overlays begin like this where the value is only written in another way. */
function isRewritten(text: string): boolean {
  return text.startsWith("Nothing;");
}
