import type { ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { ProtocolModel } from "../../generator/shared/model/protocol.js";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import { cli, exitCode, root, startCli } from "./command-line.js";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A watching process; `run` waits for the first run whose output to stderr, or whose effect, is the expected one. */
function watching(...args: readonly string[]) {
  return watchingIn(root, ...args);
}

/** The same from another checkout. */
function watchingIn(checkout: string, ...args: readonly string[]) {
  const child = startCli(["generate", "--watch", ...args], { checkout });
  children.push(child);
  const runs: string[] = [];
  let text = "";
  let wake: (() => void) | undefined;
  child.stderr?.on("data", (chunk) => {
    text += String(chunk);
    const parts = text.split("watching for changes; press Ctrl-C to stop\n");
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

test("a missing folder cannot be watched", async () => {
  const folder = sandbox();
  const schema = join(folder, "nowhere/schema.ts");
  const { code, out, err } = await cli("generate", "--watch", "--schema", schema, "--out", join(folder, "out"));
  expect({ code, out, made: existsSync(join(folder, "out")) }).toEqual({ code: 1, out: "", made: false });
  expect(err).toBe(
    `error[input-not-found]: cannot read ${join(folder, "nowhere")}: ENOENT\n  Check the path or URL.\n`,
  );
});

/** Three changes in a row, because pending runs could pick up one or two without watching. */
const versions = [1, 2, 3];

test("overlays are watched, and functions, also when their folder is made anew", { timeout: 120_000 }, async () => {
  const folder = sandbox();
  const [functions, out] = [join(folder, "conversions"), join(folder, "out")];
  const text = readFileSync(join(root, "schema/2026-07-28/schema.ts"), "utf8");
  const state = (more: object) => put(folder, { "overlay.json": JSON.stringify({ extends: "2026-07-28", ...more }) });
  const stated = () => {
    const { conversions } = JSON.parse(readFileSync(join(out, "2027-01-01/model.json"), "utf8")) as ProtocolModel;
    return { loss: conversions?.down["Resource.size"]?.loss, text: conversions?.customFunctions?.["knownSize"] };
  };
  put(folder, { "schema.ts": text.replaceAll("2026-07-28", "2027-01-01") });
  state({});
  mkdirSync(functions);
  const { run } = watching("--schema", join(folder, "schema.ts"), "--out", out, "--only", "model");
  await run(() => true);
  for (const version of versions) {
    const fact = { function: "knownSize", loss: `Loss ${version}.`, spec: "server/resources" };
    state({ conversions: { down: { "Resource.size": fact } } });
    await run(() => stated().loss === fact.loss);
  }
  for (const _folder of ["from the start", "made anew"]) {
    mkdirSync(functions, { recursive: true });
    for (const version of versions) {
      const held = `export function knownSize(size: unknown): unknown {\n  return size ?? ${version};\n}\n`;
      put(functions, { "known-size.ts": held });
      await run(() => stated().text === held);
    }
    rmSync(functions, { recursive: true });
    await run(() => stated().text === undefined);
  }
});

test("the schemas that come with the package are watched", { timeout: 120_000 }, async () => {
  const [checkout, out] = [sandbox(), join(sandbox(), "out")];
  for (const name of ["generator", "package.json", "schema", "templates", "tsconfig.base.json"])
    cpSync(join(root, name), join(checkout, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"));
  const text = readFileSync(join(root, "schema/2024-11-05/schema.ts"), "utf8");
  const { run } = watchingIn(checkout, "2024-11-05", "--out", out, "--only", "types");
  await run(() => true);
  for (const version of versions) {
    put(checkout, { "schema/2024-11-05/schema.ts": `${text}\nexport interface Added {\n  one: ${version};\n}\n` });
    await run(() => readFileSync(join(out, "2024-11-05/types.ts"), "utf8").includes(`  one: ${version};`));
  }
});
