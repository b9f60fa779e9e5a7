import type { Scene, Shape } from "../drawing/scene.js";
import { textWidth } from "../drawing/texts.js";

const [width, padding, size, lineHeight] = [500, 16, 12.5, 17];
const barHeight = 26;
const columns = Math.floor((width - 2 * padding) / textWidth([{ text: "0", isCode: true }], size));

/** Lays out a terminal window: the command, and its output, whose long lines continue indented. */
export function layOutTerminal(command: string, output: string): Scene {
  const printed = output
    .trimEnd()
    .split("\n")
    .flatMap((line) => folded(line));
  const typed = folded(`$ ${command}`);
  const lines = [...typed, ...printed];
  const height = barHeight + lines.length * lineHeight + padding;
  const shapes: Shape[] = [
    { kind: "box", x: 0.5, y: 0.5, width: width - 1, height: height - 1, fill: "box", stroke: "line", radius: 10 },
    ...[0, 1, 2].map((index): Shape => ({
      kind: "box",
      x: padding + index * 14,
      y: 11,
      width: 8,
      height: 8,
      fill: "line",
      radius: 4,
    })),
    ...lines.map((text, index): Shape => ({
      kind: "text",
      x: padding,
      y: barHeight + (index + 0.8) * lineHeight,
      anchor: "start",
      runs: [{ text: text === "" ? " " : text, isCode: true }],
      size,
      fill: index < typed.length ? "green" : "text",
      ...(index < typed.length && { isBold: true }),
      within: { x: padding, y: barHeight + index * lineHeight, width: width - 2 * padding, height: lineHeight },
    })),
  ];
  return { width, height, shapes };
}

/** Breaks a line at spaces, or where it must. */
function folded(line: string, indent = `${/^ */.exec(line)?.[0] ?? ""}  `): readonly string[] {
  if (line.length <= columns) return [line];
  const space = line.lastIndexOf(" ", columns);
  const end = space > indent.length ? space : columns;
  return [line.slice(0, end), ...folded(indent + line.slice(end).trimStart(), indent)];
}
