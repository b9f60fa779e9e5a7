import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { sandbox, treeOf } from "../generator/write/sandbox.js";
import { cli, exitCode, root, startCli } from "./command-line.js";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A watching process; `run` waits for the first run whose output to stderr, or whose effect, is the expected one. */
function watching(...args: readonly string[]) {
  const child = startCli(["generate", "--watch", ...args]);
  children.push(child);
  const runs: string[] = [];
  let text = "";
  let wake: (() => void) | undefined;
  child.stderr?.on("data", (chunk) => {
    text += String(chunk);
    const parts = text.split("watching for changes; Ctrl-C ends\n");
    text = parts.pop() ?? "";
    runs.push(...parts);
    wake?.();
  });
  const run = async (expected: (printed: string) => boolean): Promise<void> => {
    for (;;) {
      const printed = runs.shift();
      if (printed === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else if (expected(printed)) return;
    }
  };
  return { child, run };
}

test("regenerates on every change, survives a broken schema and ends on Ctrl-C", { timeout: 120_000 }, async () => {
  const folder = sandbox();
  const [schema, out] = [join(folder, "schema.ts"), join(folder, "out")];
  const text = readFileSync(join(root, "schema/2024-11-05/schema.ts"), "utf8");
  const types = () => readFileSync(join(out, "2024-11-05/types.ts"), "utf8");
  writeFileSync(schema, text);

  const { child, run } = watching("--schema", schema, "--out", out, "--only", "types");
  await run((printed) => !printed.includes("error["));
  expect(types()).not.toContain("Added");

  writeFileSync(schema, `${text}\nexport interface Added {\n  one: string;\n}\n`);
  await run(() => types().includes("export interface Added {\n  one: string;"));

  const before = treeOf(out);
  writeFileSync(schema, `${text}\nexport interface Added {\n  one: Missing;\n}\n`);
  const place = `${schema}:${text.split("\n").length + 2}:8`;
  await run((printed) => printed.startsWith(`${place}: error[unresolved-reference]: Missing is not declared`));
  expect(treeOf(out)).toEqual(before);

  // As many editors save: a new file in place of the old one.
  writeFileSync(`${schema}.new`, `${text}\nexport interface Added {\n  two: string;\n}\n`);
  renameSync(`${schema}.new`, schema);
  await run(() => types().includes("export interface Added {\n  two: string;"));

  const ended = exitCode(child);
  child.kill("SIGINT");
  expect(await ended).toBe(0);
});

test("ends on SIGTERM", { timeout: 120_000 }, async () => {
  const { child, run } = watching("2024-11-05", "--out", join(sandbox(), "out"), "--only", "profile");
  await run(() => true);
  const ended = exitCode(child);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("a folder that is not there cannot be watched", async () => {
  const folder = sandbox();
  const schema = join(folder, "nowhere/schema.ts");
  const { code, out, err } = await cli("generate", "--watch", "--schema", schema, "--out", join(folder, "out"));
  expect({ code, out, made: existsSync(join(folder, "out")) }).toEqual({ code: 1, out: "", made: false });
  expect(err).toBe(
    `error[input-not-found]: cannot read ${join(folder, "nowhere")}: ENOENT\n  Check the path or URL.\n`,
  );
});

test("functions whose folder is made later, and made anew, are watched", { timeout: 120_000 }, async () => {
  const folder = sandbox();
  const [schema, functions] = [join(folder, "schema.ts"), join(folder, "conversions")];
  writeFileSync(schema, readFileSync(join(root, "schema/2024-11-05/schema.ts"), "utf8"));
  const { run } = watching("--schema", schema, "--out", join(folder, "out"), "--only", "profile");
  await run(() => true);
  for (let time = 0; time < 2; time++) {
    mkdirSync(functions);
    await run(() => true);
    writeFileSync(join(functions, "one.ts"), "export const one = 1;\n");
    await run(() => true);
    rmSync(functions, { recursive: true });
    await run(() => !existsSync(functions));
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
});
