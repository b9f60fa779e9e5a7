import { type PinnedItem, pinnedItems, type ServerSurface } from "../pinning/server-surface.js";
import { reviewPrompt, reviewText, reviewTool, type ReviewFinding } from "./review.js";
import type { Prompt, Tool } from "../../authoring.js";

/** The findings of one item of a server. */
export interface ItemFindings extends Pick<PinnedItem, "kind" | "name"> {
  readonly findings: readonly ReviewFinding[];
}

/** Reviews all items of a server for hidden and confusable characters. Items without findings are left out. */
export function* reviewSurface(surface: ServerSurface): Generator<ItemFindings, void, undefined> {
  for (const { kind, name, value } of pinnedItems(surface)) {
    const findings =
      kind === "instructions"
        ? reviewText(value as string)
        : kind === "tool"
          ? reviewTool(value as Tool)
          : reviewPrompt(value as Prompt);
    if (findings.length > 0) yield { kind, name, findings };
  }
}
