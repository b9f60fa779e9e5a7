import { expect, test } from "vitest";
import { printHoles, readHoles } from "../../../generator/conversions/holes.js";
import { problems } from "../diagnostics/problems.js";

const holes = new Map([
  ["one", "/** One. */\nexport function one(value: unknown): unknown {\n  return value;\n}\n"],
  [
    "two",
    'import { one } from "./one.js";\n\nexport function two(value: unknown): unknown {\n  return one(value);\n}\n',
  ],
  ["three", "export const three = 3;\n"],
]);

test("functions are printed with those that they import, each once", () => {
  const at = "A.b";
  expect(
    printHoles(
      [
        { name: "two", at },
        { name: "one", at },
      ],
      holes,
    ),
  ).toEqual([
    "/** One. */\nexport function one(value: unknown): unknown {\n  return value;\n}",
    "export function two(value: unknown): unknown {\n  return one(value);\n}",
  ]);
});

test.each(["four", "three"])("a hole that no function fills is an error: %s", (name) => {
  expect(problems(() => printHoles([{ name, at: "A.b" }], holes))).toEqual([
    `conversion-hole-missing: the overlay names a function ${name} for A.b, which generator/overlay/conversions does not have`,
  ]);
});

test("each file of the folder holds the function that it is named after", () => {
  const found = readHoles();
  expect(found.size).toBeGreaterThan(0);
  expect(() =>
    printHoles(
      [...found.keys()].map((name) => ({ name, at: "" })),
      found,
    ),
  ).not.toThrow();
});
