import type { Scene, Shape } from "../drawing/scene.js";
import { textBlock } from "../drawing/text-block.js";
import type { Language } from "../drawing/texts.js";
import { innerWidth, margin, noteStyle, pictureWidth, textBox } from "./box.js";
import type { FlowColumn, FlowSource } from "./diagram.js";

const [arrowLength, columnGap] = [18, 12];

/** Where a column begins and ends, for the arrows to and from it. */
interface Placed {
  readonly shapes: readonly Shape[];
  readonly centre: number;
  readonly top: number;
  readonly bottom: number;
}

/** Lays out rows of columns. Each column of a row follows from all columns of the row above it, which has one or as many. */
export function layOutFlow({ rows }: FlowSource, language: Language): Scene {
  const shapes: Shape[] = [];
  let above: readonly Placed[] = [];
  let y = margin;
  for (const { columns } of rows) {
    if (above.length > 0) y += arrowLength;
    const width = (innerWidth - columnGap * (columns.length - 1)) / columns.length;
    const placed = columns.map((column, index) =>
      placeColumn(column, language, { x: margin + index * (width + columnGap), y, width }),
    );
    shapes.push(...joints(above, placed), ...placed.flatMap((column) => column.shapes));
    y = Math.max(...placed.map(({ bottom }) => bottom));
    above = placed;
  }
  return { width: pictureWidth, height: Math.ceil(y + margin), shapes };
}

function placeColumn(
  { title, boxes }: FlowColumn,
  language: Language,
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): Placed {
  const centre = x + width / 2;
  const shapes: Shape[] = [];
  let bottom = y;
  if (title) {
    const heading = textBlock(title[language], width, { ...noteStyle, anchor: "middle" });
    shapes.push(...heading.place(x, y));
    bottom += heading.height + 4;
  }
  const top = y;
  boxes.forEach(({ title, text, isApart, ...look }, index) => {
    if (index > 0) {
      if (isApart !== true) shapes.push(arrow([centre, bottom], [centre, bottom + arrowLength]));
      bottom += arrowLength;
    }
    const box = textBox({ title: title[language], text: text[language], ...look }, width);
    shapes.push(...box.place(x, bottom));
    bottom += box.height;
  });
  return { shapes, centre, top, bottom };
}

function joints(above: readonly Placed[], below: readonly Placed[]): readonly Shape[] {
  return below.flatMap((column, index) => {
    const sources = above.length === below.length ? above.slice(index, index + 1) : above;
    return sources.map(({ centre, bottom }) => {
      // From one box, each arrow starts above its column.
      const x = above.length < below.length ? column.centre : centre;
      const end = above.length > below.length ? x : column.centre;
      return arrow([x, bottom], [end, column.top]);
    });
  });
}

function arrow(from: readonly [number, number], to: readonly [number, number]): Shape {
  return { kind: "line", from, to, stroke: "line", isArrow: true };
}
