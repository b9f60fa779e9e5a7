import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { exists, rawServer } from "../generator/commands/dev/raw-server.js";
import { project } from "../generator/commands/dev/project.js";
import { cli, commandLine } from "./command-line.js";

/** It does not end by itself, and has a child that does not end either. */
const stubborn = rawServer({
  first: `
    import { spawn } from "node:child_process";
    process.on("SIGTERM", () => undefined);
    const child = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => 0); setInterval(() => 0, 1000)"]);
    console.error("pids " + process.pid + " " + child.pid);
    setInterval(() => undefined, 1000);
    console.log("noise");`,
});

interface Started {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  readonly pids: readonly number[];
}

async function started(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Started> {
  const { folder } = project({ "server.mjs": stubborn });
  const [file = "", ...rest] = commandLine(["dev", "server.mjs", ...args]);
  const child = spawn(file, rest, { cwd: folder, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => lines.push(line));
  const pids = await vi.waitFor(() => {
    const [, server, other] = /pids (\d+) (\d+)/.exec(lines.join("\n")) ?? [];
    if (other === undefined) throw new Error(`not started: ${lines.join("\n")}`);
    return [Number(server), Number(other)];
  }, 30_000);
  return { child, lines, pids };
}

describe("dev as a process leaves none when", { timeout: 120_000 }, () => {
  test.each([
    ["its input ends", (child: ChildProcess) => child.stdin?.end(), 0],
    ["it gets SIGTERM", (child: ChildProcess) => child.kill("SIGTERM"), 143],
    ["it gets SIGINT", (child: ChildProcess) => child.kill("SIGINT"), 130],
    ["it gets SIGHUP", (child: ChildProcess) => child.kill("SIGHUP"), 129],
  ])("%s", async (_name, stop, code) => {
    const { child, pids } = await started();
    expect(pids.map(exists)).toEqual([true, true]);
    const closed = once(child, "close");
    stop(child);
    expect((await closed)[0]).toBe(code);
    await vi.waitFor(() => expect(pids.filter(exists)).toEqual([]));
  });
});

test("only messages are written to standard output, and --trace shows them on standard error", async () => {
  const { child, lines } = await started(["--trace"], { NO_COLOR: "1" });
  const out: string[] = [];
  if (child.stdout) createInterface({ input: child.stdout }).on("line", (line) => out.push(line));
  child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\nno message\n');
  await vi.waitFor(() => expect(out).toHaveLength(2));
  expect(out.map((line) => JSON.parse(line) as unknown)).toEqual(
    expect.arrayContaining([
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", error: { code: -32700, message: expect.stringContaining("Parse error") as string } },
    ]),
  );
  await vi.waitFor(() => expect(lines.join("\n")).toMatch(/ms -> .*"ping"[^]* ms <- .*"result"/));
  expect(lines.join("\n")).toContain("server.mjs wrote to standard output: noise");
  expect(lines.join("\n")).not.toContain("\u001b");
}, 60_000);

test.each([
  [["dev"], 2, "An argument is missing"],
  [["dev", "nothing.ts"], 2, "error[dev-entry-not-found]"],
  [["dev", "x.ts", "--http", "src"], 2, "--http takes a port"],
  [["dev", "x.ts", "--ui=page"], 2, "--ui takes a port"],
  [["dev", "x.ts", "--inspect=70000"], 2, "--inspect takes a port"],
  [["dev", "x.ts", "--trace", "talk.json"], 2, "must end in .jsonl"],
])("%j is wrong usage", async (args, code, text) => {
  const outcome = await cli(...args);
  expect(outcome).toMatchObject({ code, out: "", err: expect.stringContaining(text) as string });
});
