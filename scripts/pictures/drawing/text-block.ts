import type { TextColour } from "./palette.js";
import type { Rectangle, TextShape } from "./scene.js";
import { wrap } from "./texts.js";

export interface TextStyle {
  readonly size: number;
  readonly isBold?: boolean;
  readonly fill: TextColour;
  readonly anchor?: TextShape["anchor"];
}

/** Lines of text, as high as they are. */
export interface TextBlock {
  readonly height: number;
  readonly place: (x: number, y: number) => readonly TextShape[];
}

const lineHeight = 1.35;

/** Breaks a text into lines of a width. `place` takes the upper left corner of the block. */
export function textBlock(text: string, width: number, { anchor = "start", ...style }: TextStyle): TextBlock {
  const lines = wrap(text, width, style.size, style.isBold);
  const step = style.size * lineHeight;
  const offset = { start: 0, middle: width / 2, end: width }[anchor];
  return {
    height: lines.length * step,
    place: (x, y) => {
      const within: Rectangle = { x, y, width, height: lines.length * step };
      return lines.map((runs, index) => ({
        kind: "text",
        x: x + offset,
        y: y + index * step + style.size * 1.02,
        anchor,
        runs,
        ...style,
        within,
      }));
    },
  };
}

/** Places blocks below each other. */
export function stack(blocks: readonly TextBlock[], gap = 2): TextBlock {
  return {
    height: blocks.reduce((sum, block) => sum + block.height, 0) + gap * Math.max(0, blocks.length - 1),
    place: (x, y) => {
      let top = y;
      return blocks.flatMap((block) => {
        const shapes = block.place(x, top);
        top += block.height + gap;
        return shapes;
      });
    },
  };
}
