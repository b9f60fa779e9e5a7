import { palettes, type Colour } from "./palette.js";
import type { LineShape, Scene, Shape, TextShape } from "./scene.js";

/** What a picture says to readers who do not see it. */
export interface Description {
  readonly language: string;
  /** One line. */
  readonly title: string;
  /** The facts of the picture, in sentences. */
  readonly text: string;
}

const sans = `system-ui,-apple-system,"Segoe UI",Roboto,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC","Noto Sans SC",sans-serif`;
const mono = `ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace`;

/** Prints a scene as a document of its own, which follows the colour scheme of the page. */
export function printSvg({ width, height, shapes }: Scene, { language, title, text }: Description): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc" xml:lang="${language}">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<desc id="desc">${escapeXml(text)}</desc>`,
    `<style>`,
    `:root{${variables("light")}}`,
    `@media (prefers-color-scheme:dark){:root{${variables("dark")}}}`,
    `text{font-family:${sans};white-space:pre}`,
    `.code{font-family:${mono};font-size:.94em}`,
    `</style>`,
    `<rect width="${width}" height="${height}" rx="10" fill="var(--page)"/>`,
    ...shapes.map(printShape),
    `</svg>`,
    "",
  ].join("\n");
}

function variables(theme: keyof typeof palettes): string {
  return Object.entries(palettes[theme])
    .map(([name, value]) => `--${name}:${value}`)
    .join(";");
}

function printShape(shape: Shape): string {
  switch (shape.kind) {
    case "box": {
      const stroke = shape.stroke ? ` stroke="${paint(shape.stroke)}"` : "";
      const { x, y, width, height, radius = 0 } = shape;
      return `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" rx="${n(radius)}" fill="${paint(shape.fill)}"${stroke}/>`;
    }
    case "line":
      return printLine(shape);
    case "text":
      return printText(shape);
  }
}

function printLine({ from, to, stroke, isDashed, isArrow, thickness = 1.5 }: LineShape): string {
  const dashes = isDashed ? ` stroke-dasharray="4 4"` : "";
  const line = `<path d="M${n(from[0])} ${n(from[1])}L${n(to[0])} ${n(to[1])}" stroke="${paint(stroke)}" stroke-width="${thickness}" fill="none"${dashes}/>`;
  if (!isArrow) return line;
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const side = (turn: number): string =>
    `${n(to[0] - 9 * Math.cos(angle + turn))} ${n(to[1] - 9 * Math.sin(angle + turn))}`;
  return `${line}<path d="M${n(to[0])} ${n(to[1])}L${side(0.42)}L${side(-0.42)}Z" fill="${paint(stroke)}"/>`;
}

function printText({ x, y, anchor, runs, size, isBold, fill }: TextShape): string {
  const weight = isBold ? ` font-weight="600"` : "";
  const align = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
  const content = runs
    .map(({ text, isCode }) => (isCode ? `<tspan class="code">${escapeXml(text)}</tspan>` : escapeXml(text)))
    .join("");
  return `<text x="${n(x)}" y="${n(y)}" font-size="${size}"${weight}${align} fill="${paint(fill)}">${content}</text>`;
}

function paint(colour: Colour): string {
  return `var(--${colour})`;
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
