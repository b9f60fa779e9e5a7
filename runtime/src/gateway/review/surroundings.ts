import { escapeHidden, sliceWhole } from "./escape-hidden.js";

/** Characters to show before and after a part. */
const around = 20;
/** Characters to show of the part itself. */
const most = 60;

/** A part of a text and the characters around it, with escapes. */
export function surroundings(text: string, index: number, length: number): string {
  const shown = Math.min(length, most);
  const gap = shown < length ? "…" : "";
  const after = index + length;
  return `${escapeHidden(sliceWhole(text, index - around, index + shown))}${gap}${escapeHidden(sliceWhole(text, after, after + around))}`;
}
