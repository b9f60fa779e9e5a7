import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diff } from "../../../../generator/commands/diff/diff.js";
import { emitConversions } from "../../../../generator/pipeline/emit/conversions.js";
import { generate } from "../../../../generator/pipeline/generate.js";
import type { GenerateOptions } from "../../../../generator/pipeline/generate-options.js";
import type { ConversionStep } from "../../../../generator/shared/model/conversion.js";
import { root } from "../../../cli/command-line.js";
import { put, refusal, sandbox, treeOf } from "../../shared/files/sandbox.js";
import { printCustomFunctions, readCustomFunctions } from "../../../../generator/shared/sources/custom-functions.js";
import { problems } from "../../shared/diagnostics/problems.js";

const customFunctions = new Map([
  ["one", "/** One. */\nexport function one(value: unknown): unknown {\n  return value;\n}\n"],
  [
    "two",
    'import { one } from "./one.js";\n\nexport function two(value: unknown): unknown {\n  return one(value);\n}\n',
  ],
  ["three", "export const three = 3;\n"],
]);

test("prints functions and those that they import, each once", () => {
  const at = "A.b";
  expect(
    printCustomFunctions(
      [
        { name: "two", at },
        { name: "one", at },
      ],
      customFunctions,
    ),
  ).toEqual([
    "/** One. */\nexport function one(value: unknown): unknown {\n  return value;\n}",
    "export function two(value: unknown): unknown {\n  return one(value);\n}",
  ]);
});

test.each(["four", "three"])("rejects a custom function that does not exist: %s", (name) => {
  expect(problems(() => printCustomFunctions([{ name, at: "A.b" }], customFunctions))).toEqual([
    `conversion-hole-missing: the overlay names the function ${name} for A.b, but neither conversions/ beside the overlay nor generator/pipeline/conversions/functions of mcpwright contains it`,
  ]);
});

test("each file of the folder contains the function that it is named after", () => {
  const found = readCustomFunctions();
  expect(found.size).toBeGreaterThan(0);
  expect(() =>
    printCustomFunctions(
      [...found.keys()].map((name) => ({ name, at: "" })),
      found,
    ),
  ).not.toThrow();
});

test("does not print a custom function that is never called", () => {
  const call = { kind: "call", name: "used" } as const;
  const row = { sender: "client", method: "do", part: "params", losses: [] } as const;
  const up: ConversionStep = {
    from: "1",
    to: "2",
    rows: [
      { ...row, kind: "function", plan: call },
      { ...row, method: "gone", kind: "unsupported", plan: { kind: "function", at: "Gone", name: "one" } },
    ],
    functions: [
      { name: "used", plan: { kind: "function", at: "Used", name: "two" } },
      { name: "dropped", plan: { kind: "function", at: "Dropped", name: "missing" } },
    ],
  };
  const { customFunctions: called } = emitConversions({ up, down: { ...up, rows: [], functions: [] } }, () => false);
  expect(called).toEqual([{ name: "two", at: "Used" }]);
});

describe("a function of the user's own", () => {
  /** Without the outputs that contain no conversion, which take most of the time. */
  const run = (options: GenerateOptions) => generate({ ...options, only: ["conversions", "model"] });
  const [older, newer] = ["2026-07-28", "2027-01-01"];
  const official = readFileSync(join(root, "schema", older, "schema.ts"), "utf8").replaceAll(older, newer);
  const schema = official.replaceAll("size?: number;", 'size?: number | "unknown";');
  const fact = { function: "knownSize", loss: "That the size is unknown.", spec: "server/resources" };
  const overlayOf = (key: string) => ({ extends: older, conversions: { down: { [key]: fact } } });
  const text =
    "export function knownSize(size: unknown): unknown {\n  return typeof size === 'number' ? size : undefined;\n}\n";
  const stated = JSON.stringify(overlayOf("Resource.size"));
  const placed = (conversions: Readonly<Record<string, string>>, overlay = stated) => {
    const folder = sandbox();
    const files = Object.entries(conversions).map(([name, held]) => [`${newer}/conversions/${name}`, held] as const);
    put(folder, { [`${newer}/schema.ts`]: schema, [`${newer}/overlay.json`]: overlay, ...Object.fromEntries(files) });
    return { folder, file: join(folder, newer, "schema.ts"), out: join(folder, "out") };
  };

  test("is in the folder that the hint of diff names", async () => {
    const folder = sandbox();
    put(folder, { [`${newer}/schema.ts`]: schema });
    const { findings } = await diff({ before: older, after: join(folder, newer, "schema.ts") });
    const keys = findings.flatMap(({ rule, hint }) =>
      rule === "alternative-added" ? (/conversions\.down\.([^`]+)/.exec(hint)?.[1] ?? []) : [],
    );
    expect(keys).toEqual(["Resource.size"]);
  });

  test("is read from next to the overlay, and stays when other revisions are generated", async () => {
    const { folder, file, out } = placed({ "known-size.ts": text });
    await run({ revisions: [older], out });
    const { findings } = await run({ schema: file, out });
    expect(findings.filter(({ id }) => id.startsWith("conversion"))).toEqual([]);
    const printed = treeOf(out)["conversion-functions.ts"];
    expect(printed).toContain("export function knownSize(size: unknown): unknown {");
    await run({ revisions: ["2025-11-25"], out });
    expect(treeOf(out)["conversion-functions.ts"]).toContain("export function knownSize(");
    put(folder, { [`${newer}/conversions/known-size.ts`]: text.replace(": undefined", ": 0") });
    await run({ schema: file, out });
    expect(treeOf(out)["conversion-functions.ts"]).toContain(": 0;");
  });

  test("can be changed in one revision after the other", async () => {
    const both = [newer, "2027-02-02"];
    const folder = sandbox();
    const texts = (held: string) =>
      Object.fromEntries(both.map((id) => [`${id}/conversions/known-size.ts`, held] as const));
    for (const id of both)
      put(folder, { [`${id}/schema.ts`]: schema.replaceAll(newer, id), [`${id}/overlay.json`]: stated });
    put(folder, texts(text));
    const out = join(folder, "out");
    const findings = async (id: string, check = false) => {
      const result = await run({ schema: join(folder, id, "schema.ts"), out, check });
      return result.findings.map(({ id, severity, message }) => `${severity} ${id}: ${message}`);
    };
    await run({ revisions: [older], out });
    for (const id of both) expect(await findings(id)).toEqual([]);

    put(folder, texts(text.replace(": undefined", ": 0")));
    const told = [
      `finding conversion-hole-differs: the function knownSize of ${newer} differs from that of 2027-02-02, which is used for both`,
    ];
    expect(await findings(newer)).toEqual(told);
    expect(treeOf(out)["conversion-functions.ts"]).toContain(": undefined;");
    expect(await findings(newer, true), "nothing has changed, so the finding stays").toEqual(told);
    expect(await findings("2027-02-02")).toEqual([]);
    expect(treeOf(out)["conversion-functions.ts"]).toContain(": 0;");
  });

  test("must not have the name of another one", async () => {
    const overlay = stated.replace("knownSize", "newId");
    const { folder, file, out } = placed({ "new-id.ts": text.replace("knownSize", "newId") }, overlay);
    expect(await refusal(folder, run({ schema: file, out }))).toEqual([
      `conversion-hole-repeated: the function newId in conversions/ beside the overlay of ${newer} has the name of another function`,
    ]);
  });

  test("is not read unless an overlay names it or a named function imports it", async () => {
    const imports = `import { other } from "./other.js";\n\n${text.replace("? size", "? other(size)")}`;
    const { file, out } = placed({
      "known-size.ts": imports,
      "other.ts": text.replace("knownSize", "other"),
      "new-id.ts": "export const newId = 1;\n",
      "legacy.ts/readme.md": "A folder.\n",
      "Types.d.ts": "export {};\n",
    });
    const { models } = await run({ schema: file, out, check: true });
    expect(Object.keys(models.at(-1)?.conversions?.customFunctions ?? {})).toEqual(["knownSize", "other"]);
  });
});
