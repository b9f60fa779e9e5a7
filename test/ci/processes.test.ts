import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startCommand } from "../../scripts/ci/processes.js";

describe.skipIf(process.platform === "win32")("a command", () => {
  test("returns both streams, in the order of the writes", async () => {
    const { ended } = startCommand("echo one; echo two >&2; echo three", tmpdir());
    expect(await ended).toMatchObject({ passed: true, output: "one\ntwo\nthree\n" });
  });

  test("fails when its exit code is not 0", async () => {
    expect(await startCommand("echo why; exit 3", tmpdir()).ended).toMatchObject({ passed: false, output: "why\n" });
  });

  test("returns the CPU time of all processes that it waits for", async () => {
    const busy = "const end = Date.now() + 1_500; while (Date.now() < end);";
    const { cpuSeconds } = await startCommand(`bash -c 'node -e "${busy}"; true'; exit 1`, tmpdir()).ended;
    expect(cpuSeconds).toBeGreaterThan(0.05);
    expect(cpuSeconds).toBeLessThan(30);
  });

  test("leaves no background process behind", async () => {
    const { ended } = startCommand("sleep 60 & echo $!", tmpdir());
    const { output } = await ended;
    await expectGone(Number(output));
  });

  test("is aborted with all its processes, also those with another process group and those that ignore SIGTERM", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mcpwright-processes-"));
    try {
      const { ended, abort } = startCommand(
        `node -e 'const { spawn } = require("node:child_process");
          spawn("bash", ["-c", "trap : TERM; echo $$ > child; while :; do sleep 1; done"], { detached: true });
          require("node:fs").writeFileSync("parent", process.pid + "\\n");
          setInterval(() => {}, 1000)'`,
        folder,
      );
      const pidIn = (file: string): number => {
        const path = join(folder, file);
        return existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
      };
      await expect.poll(() => pidIn("parent") * pidIn("child"), { timeout: 20_000 }).toBeGreaterThan(1);
      await abort();
      expect((await ended).passed).toBe(false);
      await expectGone(pidIn("parent"));
      await expectGone(pidIn("child"));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Waits, because an ended process exists until its parent has read its exit code. */
async function expectGone(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(1);
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
