/** The reports of `mcpwright diff` have the colours of the pictures. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Colour, contrast, palettes } from "../../scripts/pictures/drawing/palette.js";

const css = readFileSync(join(import.meta.dirname, "../../templates/diff/style.css.hbs"), "utf8");
const shared: Readonly<Record<string, Colour>> = {
  page: "page",
  card: "box",
  ink: "text",
  soft: "quiet",
  link: "blue",
  focus: "blue",
  source: "blue",
  addition: "green",
  behaviour: "amber",
  unstated: "violet",
};
const [light = "", dark = ""] = css.split("@media (prefers-color-scheme: dark)");

test.each([
  ["light", light],
  ["dark", dark.slice(0, dark.indexOf("\n}"))],
] as const)("%s: the shared colours, and text that can be read", (theme, rules) => {
  const colours = new Map(
    Array.from(rules.matchAll(/--([\w-]+): (#[\da-f]{6})/g), ([, name = "", value = ""]) => [name, value]),
  );
  const expected = Object.entries(shared).map(([name, colour]) => [name, palettes[theme][colour]]);
  expect(expected.map(([name = ""]) => [name, colours.get(name)])).toEqual(expected);
  const on = (text: string, ground: string): number => contrast(colours.get(text) ?? "", colours.get(ground) ?? "");
  for (const text of ["ink", "soft", "link", "wire", "behaviour", "source", "unstated", "deprecation", "addition"])
    for (const ground of ["page", "card", "code"])
      expect(on(text, ground), `${text} on ${ground}`).toBeGreaterThan(4.5);
  for (const [text, ground] of [
    ["minus-ink", "minus"],
    ["plus-ink", "plus"],
  ] as const)
    expect(on(text, ground)).toBeGreaterThan(4.5);
});
