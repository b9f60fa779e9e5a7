import type { TextColour } from "../drawing/palette.js";
import type { Shape } from "../drawing/scene.js";
import { stack, textBlock, type TextStyle } from "../drawing/text-block.js";

/** The width of diagrams: that of a phone shows their texts at about 11 px. */
export const pictureWidth = 420;
export const margin = 14;
export const innerWidth = pictureWidth - 2 * margin;

export const headingStyle: TextStyle = { size: 15.5, isBold: true, fill: "text" };
export const noteStyle: TextStyle = { size: 13, fill: "quiet" };
const padding = { x: 10, y: 7 };

/** A box with its texts, as high as they are. */
export interface BoxBlock {
  readonly height: number;
  readonly place: (x: number, y: number, height?: number) => readonly Shape[];
}

/** Lays out a box with a title and a text. `isData` rounds its corners more. */
export function textBox(
  { title, text, colour, isData = false }: { title?: string; text?: string; colour: TextColour; isData?: boolean },
  width: number,
): BoxBlock {
  const inner = width - 2 * padding.x;
  const content = stack([
    ...(title === undefined ? [] : [textBlock(title, inner, { size: 14, isBold: true, fill: colour })]),
    ...(text === undefined ? [] : [textBlock(text, inner, { size: 13, fill: "text" })]),
  ]);
  const natural = content.height + 2 * padding.y;
  return {
    height: natural,
    place: (x, y, height = natural) => [
      { kind: "box", x, y, width, height, fill: "box", stroke: colour, radius: isData ? 14 : 5 },
      ...content.place(x + padding.x, y + padding.y),
    ],
  };
}

/** Lays out the name of a lane. */
export function nameBox(name: string, colour: TextColour, width: number): BoxBlock {
  const content = textBlock(name, width - 8, { size: 13, isBold: true, fill: colour, anchor: "middle" });
  const natural = content.height + 10;
  return {
    height: natural,
    place: (x, y, height = natural) => [
      { kind: "box", x, y, width, height, fill: "box", stroke: colour, radius: 14 },
      ...content.place(x + 4, y + 5 + (height - natural) / 2),
    ],
  };
}
