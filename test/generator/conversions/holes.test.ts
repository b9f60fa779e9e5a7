import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diff } from "../../../generator/diff/diff.js";
import { generate } from "../../../generator/generate.js";
import { root } from "../../cli/command-line.js";
import { put, refusal, sandbox, treeOf } from "../write/sandbox.js";
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
    `conversion-hole-missing: the overlay names a function ${name} for A.b, which is neither in conversions/ beside it nor in mcpwright's generator/overlay/conversions`,
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

describe("a function of the user's own", () => {
  const [older, newer] = ["2026-07-28", "2027-01-01"];
  const official = readFileSync(join(root, "schema", older, "schema.ts"), "utf8").replaceAll(older, newer);
  const schema = official.replaceAll("size?: number;", 'size?: number | "unknown";');
  const fact = { hole: "knownSize", loss: "That the size is unknown.", spec: "server/resources" };
  const overlayOf = (key: string) => ({ extends: older, conversions: { down: { [key]: fact } } });
  const text =
    "export function knownSize(size: unknown): unknown {\n  return typeof size === 'number' ? size : undefined;\n}\n";
  const folder = sandbox();
  const file = join(folder, newer, "schema.ts");

  test("is where diff hints at", async () => {
    put(folder, { [`${newer}/schema.ts`]: schema });
    const { findings } = await diff({ before: older, after: file });
    const keys = findings.flatMap(({ rule, hint }) =>
      rule === "alternative-added" ? (/conversions\.down\.([^`]+)/.exec(hint)?.[1] ?? []) : [],
    );
    expect(keys).toEqual(["Resource.size"]);
    put(folder, { [`${newer}/overlay.json`]: JSON.stringify(overlayOf(keys[0] ?? "")) });
  });

  test("is taken from beside the overlay, and stays when other revisions are generated", async () => {
    put(folder, { [`${newer}/conversions/known-size.ts`]: text });
    const out = join(folder, "out");
    await generate({ revisions: [older], out });
    const { findings } = await generate({ schema: file, out });
    expect(findings.filter(({ id }) => id.startsWith("conversion"))).toEqual([]);
    const printed = treeOf(out)["conversion-holes.ts"];
    expect(printed).toContain("export function knownSize(size: unknown): unknown {");
    await generate({ revisions: ["2025-11-25"], out });
    expect(treeOf(out)["conversion-holes.ts"]).toContain("export function knownSize(");
    put(folder, { [`${newer}/conversions/known-size.ts`]: text.replace(": undefined", ": 0") });
    await generate({ schema: file, out });
    expect(treeOf(out)["conversion-holes.ts"]).toContain(": 0;");
  });

  test("must not be called like another one", async () => {
    put(folder, { [`${newer}/conversions/new-id.ts`]: text.replace("knownSize", "newId") });
    expect(await refusal(folder, generate({ schema: file, out: join(folder, "out") }))).toEqual([
      `conversion-hole-repeated: the function newId of conversions/ beside the overlay of ${newer} is called like another one`,
    ]);
  });
});
