import { expect, test } from "vitest";
import { pickIcon, type IconPreferences, type IconSource } from "../../../runtime/src/rules/icons.js";

function icon(name: string, sizes?: readonly string[], theme?: "light" | "dark"): IconSource {
  return { src: `https://x.test/${name}`, ...(sizes && { sizes }), ...(theme && { theme }) };
}

const small = icon("small", ["16x16"]);
const middle = icon("middle", ["32x32", "48x48"]);
const large = icon("large", ["256x256"]);
const scalable = icon("scalable", ["any"]);
const every = icon("every");
const broken = icon("broken", ["big"]);
const light = icon("light", ["48x48"], "light");
const dark = icon("dark", ["16x16"], "dark");

const picks: readonly [
  string,
  readonly IconSource[] | undefined,
  IconPreferences | undefined,
  IconSource | undefined,
][] = [
  ["no list", undefined, undefined, undefined],
  ["no icons", [], { size: 16 }, undefined],
  ["the first, without preferences", [large, small], undefined, large],
  ["the exact size", [large, small, middle], { size: 16 }, small],
  ["a further size of an icon", [large, small, middle], { size: 48 }, middle],
  ["the next larger", [large, small, middle], { size: 40 }, middle],
  ["the largest, if none is large enough", [small, middle], { size: 512 }, middle],
  ["a scalable one", [large, small, scalable], { size: 40 }, scalable],
  ["one without sizes", [large, every, scalable], { size: 40 }, every],
  ["one with an unreadable size last", [broken, small], { size: 512 }, small],
  ["the longer side", [icon("wide", ["48x16"]), small], { size: 48 }, icon("wide", ["48x16"])],
  ["the theme", [light, dark], { theme: "dark" }, dark],
  ["the theme before the size", [light, dark], { theme: "dark", size: 48 }, dark],
  ["one for both before the other theme", [light, small], { theme: "dark", size: 48 }, small],
  ["the other theme, if there is no more", [light], { theme: "dark" }, light],
  ["any theme, without preferences", [light, dark], { size: 16 }, dark],
];
test.each(picks)("picks %s", (_, icons, place, expected) => expect(pickIcon(icons, place)).toEqual(expected));

const sources: readonly [string, boolean][] = [
  ["https://x.test/a.png", true],
  ["HTTPS://x.test/a.png", true],
  ["data:image/png;base64,AAAA", true],
  ["http://x.test/a.png", false],
  ["javascript:alert(1)", false],
  ["java\nscript:alert(1)", false],
  [" https://x.test/a.png", false],
  ["file:///etc/passwd", false],
  ["ftp://x.test/a.png", false],
  ["ws://x.test/", false],
  ["blob:https://x.test/1", false],
  ["myapp://open", false],
  ["/a.png", false],
  ["", false],
];
test.each(sources)("source %j: %j", (src, safe) => expect(pickIcon([{ src }]) !== undefined).toBe(safe));
