import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { backgrounds, contrast, palettes, textColours } from "../../scripts/pictures/drawing/palette.js";
import type { Rectangle, TextShape } from "../../scripts/pictures/drawing/scene.js";
import { textWidth, wrap } from "../../scripts/pictures/drawing/texts.js";
import { pagesWithFigures } from "../../scripts/docs/figures/pages.js";
import { pictureFiles } from "../../scripts/pictures/pictures.js";

const root = join(import.meta.dirname, "../..");
const docs = join(root, "docs");
const files = pictureFiles();

describe.each(files)("$path", ({ path, svg, scene, alt }) => {
  test("is what `npm run docs:pictures` makes", () => {
    const file = join(docs, path);
    expect(existsSync(file), `${path} is missing: run npm run docs:pictures`).toBe(true);
    expect(readFileSync(file, "utf8"), `${path} is out of date: run npm run docs:pictures`).toBe(svg);
  });

  test("has texts that fit into their boxes and into the picture", () => {
    const picture: Rectangle = { x: 0, y: 0, width: scene.width, height: scene.height };
    const texts = scene.shapes.filter((shape) => shape.kind === "text");
    expect(texts.length).toBeGreaterThan(0);
    const outside = texts.filter((text) => {
      const bounds = boundsOf(text);
      return !contains(text.within, bounds) || !contains(picture, bounds);
    });
    expect(outside).toEqual([]);
  });

  test("has texts that no other text covers", () => {
    const texts = scene.shapes.filter((shape) => shape.kind === "text").map(boundsOf);
    const overlapping = texts.filter((one, index) =>
      texts.some((other, place) => place > index && overlap(one, other)),
    );
    expect(overlapping).toEqual([]);
  });

  test("has a title of one line, and facts for readers who do not see it", () => {
    expect(alt.length).toBeGreaterThan(10);
    expect(svg).toContain(`<title id="title">${alt.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}</title>`);
    expect(/<desc id="desc">([^]+)<\/desc>/.exec(svg)?.[1]?.length).toBeGreaterThan(40);
  });
});

test("the Chinese pictures have Chinese texts", () => {
  for (const { language, alt, svg } of files) {
    expect(/[\u4e00-\u9fff]/.test(alt)).toBe(language === "zh");
    expect(/[\u4e00-\u9fff]/.test(svg)).toBe(language === "zh");
  }
});

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  test.each(textColours.flatMap((text) => backgrounds.map((background) => [text, background] as const)))(
    "%s is readable on %s",
    (text, background) => {
      expect(contrast(palettes[theme][text], palettes[theme][background])).toBeGreaterThanOrEqual(4.5);
    },
  );

  test("lines are visible", () => {
    for (const background of backgrounds)
      expect(contrast(palettes[theme].line, palettes[theme][background])).toBeGreaterThanOrEqual(3);
  });
});

test("contrast is that of WCAG", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test("lines break between Chinese characters, but not before punctuation", () => {
  const lines = wrap("服务器处理请求，然后回应。", 4 * 13, 13).map((runs) => runs.map(({ text }) => text).join(""));
  expect(lines.join("")).toBe("服务器处理请求，然后回应。");
  expect(lines.every((line) => !/^[，。]/.test(line))).toBe(true);
});

test("code does not break, and a word that is too wide is an error", () => {
  expect(wrap("read `schema.json` now", 90, 13).map((runs) => runs.map(({ text }) => text).join(""))).toEqual([
    "read",
    "schema.json",
    "now",
  ]);
  expect(() => wrap("`notifications/initialized`", 90, 13)).toThrow(/does not fit/);
});

function boundsOf({ x, y, anchor, runs, size, isBold }: TextShape): Rectangle {
  const width = textWidth(runs, size, isBold);
  const left = { start: x, middle: x - width / 2, end: x - width }[anchor];
  return { x: left, y: y - size * 0.8, width, height: size };
}

function contains(outer: Rectangle, inner: Rectangle): boolean {
  return (
    inner.x >= outer.x - 0.1 &&
    inner.y >= outer.y - 0.1 &&
    inner.x + inner.width <= outer.x + outer.width + 0.1 &&
    inner.y + inner.height <= outer.y + outer.height + 0.1
  );
}

function overlap(one: Rectangle, other: Rectangle): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

test("pages have the alternative texts of the sources", () => {
  const altOf = new Map(files.map(({ path, alt }) => [path, alt]));
  const wrong = pagesWithFigures(root).flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/!\[([^\]]*)\]\(([^)\s]+\.svg)\)/g)].flatMap(
      ([, alt, target]) => {
        const picture = relative(docs, join(root, page, "..", target ?? "")).replaceAll("\\", "/");
        const expected = altOf.get(picture);
        return expected === undefined || expected === alt ? [] : [`${page}: ${picture} needs the text: ${expected}`];
      },
    ),
  );
  expect(wrong).toEqual([]);
});
