import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { differing } from "../end-to-end/trees.js";
import { sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import { childCli, cli, commandLine, exitCode, root, startCli } from "./command-line.js";

const here = join(sandbox(), "out");
beforeAll(async () => {
  await cli("generate", "2024-11-05", "--out", here);
});

describe.each(["source", "bundle"] as const)("as a process, from %s", { timeout: 120_000 }, (program) => {
  beforeAll(() => {
    if (program === "bundle" && !existsSync(join(root, "dist/cli.js")))
      throw new Error("dist/cli.js is missing; run `npm run build` first, as `npm test` does");
  });

  test.each([
    [["--version"], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    [["frobnicate"], 2, /^$/, /^Unknown command: frobnicate\.\n/],
    [["generate", "--schema", "nothing.ts", "--revision", "x"], 1, /^$/, /^error\[input-not-found\]: /],
  ])("%j exits with %i", async (args, code, out, err) => {
    const outcome = await childCli(args, { program, cwd: sandbox() });
    expect(outcome).toEqual({
      code,
      out: expect.stringMatching(out) as string,
      err: expect.stringMatching(err) as string,
    });
  });

  test("generates what it generates in this process, into `generated` of the working directory", async () => {
    const cwd = sandbox();
    const { code, out } = await childCli(["generate", "2024-11-05"], { program, cwd });
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^1 revision in generated: \d+ files were added, 0 changed, 0 removed; 0 unchanged\n$/,
      ) as string,
    });
    expect(differing(treeOf(here), treeOf(join(cwd, "generated")))).toEqual([]);
  });

  test("a reader that closes the output early does not cause an error", async () => {
    const child = startCli(["model", "2024-11-05"], { program });
    let err = "";
    child.stderr?.on("data", (chunk) => (err += String(chunk)));
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect({ code: await exitCode(child), err }).toEqual({ code: 0, err: "" });
  });
});

test.runIf(process.platform === "linux")(
  "output that a file did not take whole is an error",
  { timeout: 60_000 },
  () => {
    const cwd = sandbox();
    // 64 blocks of 512 or 1024 bytes: less than the model has, and no multiple of what is written at once.
    const limited = `ulimit -f 64; exec "$@" > model.json`;
    const { status, stderr } = spawnSync("bash", ["-c", limited, "-", ...commandLine(["model", "2026-07-28"])], {
      cwd,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^error: cannot write the output: EFBIG.*\n$/) as string,
    });
    expect(statSync(join(cwd, "model.json")).size).toBe(64 * 1024);
  },
);

test("the bundle is executable", () => {
  if (process.platform === "win32") return;
  expect(execFileSync(join(root, "dist/cli.js"), ["--version"], { encoding: "utf8" })).toMatch(/^\d+\.\d+\.\d+\n$/);
});
