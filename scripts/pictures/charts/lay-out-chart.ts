import { headingStyle, innerWidth, margin, noteStyle, pictureWidth } from "../diagrams/box.js";
import type { Colour } from "../drawing/palette.js";
import type { Scene, Shape } from "../drawing/scene.js";
import { stack, textBlock } from "../drawing/text-block.js";
import type { Language } from "../drawing/texts.js";
import type { Bar, ChartSource } from "./chart.js";

const [nameWidth, valueWidth, columnGap, rowGap] = [158, 42, 8, 7];
const barLeft = margin + nameWidth + columnGap;
const barWidth = innerWidth - nameWidth - valueWidth - 2 * columnGap;
const barHeight = 14;
const colours: Readonly<Record<Bar["role"], Colour>> = { own: "blue", floor: "green", peer: "line" };

/** Lays out a chart: groups of bars with one scale from 0, which show the median, and thin lines for the range of the rounds. */
export function layOutChart({ title, measure, groups }: ChartSource, language: Language): Scene {
  const longest = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value, range }) => Math.max(value, range[1]))));
  const head = stack([
    textBlock(title[language], innerWidth, headingStyle),
    textBlock(measure[language], innerWidth, noteStyle),
  ]);
  const shapes: Shape[] = [...head.place(margin, margin)];
  let y = margin + head.height + 10;
  for (const group of groups) {
    const heading = textBlock(group.title[language], innerWidth, { size: 13.5, isBold: true, fill: "text" });
    shapes.push(...heading.place(margin, y));
    y += heading.height + 5;
    for (const bar of group.bars) {
      const name = textBlock(bar.name[language], nameWidth, {
        size: 12.5,
        isBold: bar.role === "own",
        fill: bar.role === "own" ? "blue" : "text",
      });
      const height = Math.max(name.height, barHeight);
      const middle = y + height / 2;
      const end = (value: number): number => barLeft + (value / longest) * barWidth;
      shapes.push(
        ...name.place(margin, y + (height - name.height) / 2),
        {
          kind: "box",
          x: barLeft,
          y: middle - barHeight / 2,
          width: Math.max(2, end(bar.value) - barLeft),
          height: barHeight,
          fill: colours[bar.role],
          radius: 2,
        },
        {
          kind: "line",
          from: [end(bar.range[0]), middle],
          to: [end(bar.range[1]), middle],
          stroke: "text",
          thickness: 1,
        },
        ...textBlock(printValue(bar.value), valueWidth, {
          size: 13,
          isBold: bar.role === "own",
          fill: "text",
          anchor: "end",
        }).place(pictureWidth - margin - valueWidth, middle - (13 * 1.35) / 2),
      );
      y += height + rowGap;
    }
    y += 10;
  }
  return { width: pictureWidth, height: Math.ceil(y - 10 - rowGap + margin), shapes };
}

function printValue(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(1);
}
