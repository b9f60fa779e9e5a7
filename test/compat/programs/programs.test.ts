import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../../scripts/compat/examples/compile.js";
import { makeStage, type Stage } from "../../../scripts/compat/stage.js";
import { missingNames } from "./used-names.js";

const folder = import.meta.dirname;
const tsx = resolve(folder, "../../../node_modules/tsx/dist/cli.mjs");
/** Programs of our own for the official packages. Each prints what it sees. */
const programs = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

let stages: Readonly<Record<"ours" | "official", Stage>>;
beforeAll(async () => {
  stages = { ours: await makeStage(folder, "ours"), official: await makeStage(folder, "official") };
});
afterAll(() => {
  stages.ours.remove();
  stages.official.remove();
});

/** Runs a program. Returns what it printed, line by line. */
async function run(name: string, packages: keyof typeof stages): Promise<readonly unknown[]> {
  const script = join(stages[packages].folder, "examples", name, "main.ts");
  const child = spawn(process.execPath, [tsx, script], { cwd: stages[packages].folder, timeout: 50_000 });
  let [printed, problems] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (problems += chunk.toString()));
  const code = await new Promise((done) => child.on("close", done));
  if (code !== 0)
    throw new Error(`${name} ended with ${String(code)} on the packages ${packages}:\n${printed}${problems}`);
  return printed
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

test("the programs use every name that issues of migrations were about", () => {
  expect(programs.length).toBeGreaterThan(0);
  expect(missingNames(programs.map((name) => join(folder, name)))).toEqual([]);
});

test("the programs compile under strict options, with our declarations", { timeout: 120_000 }, () => {
  expect(Object.fromEntries(compile(stages.ours.folder, programs))).toEqual({});
});

describe("with our packages, a program sees what it sees with the official ones", () => {
  test.each(programs)("%s", { timeout: 120_000 }, async (name) => {
    const [ours, official] = await Promise.all([run(name, "ours"), run(name, "official")]);
    expect(official.length).toBeGreaterThan(10);
    expect(ours).toEqual(official);
  });
});
