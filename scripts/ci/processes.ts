import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Started } from "./schedule.js";

/** How long a process may take to exit after SIGTERM, in milliseconds. */
const patienceMs = 5_000;

/** Starts a shell command as a new process group. Its output contains both streams, in the order of the writes. */
export function startCommand(command: string, cwd: string): Started {
  const folder = mkdtempSync(join(tmpdir(), "mcpwright-ci-"));
  const file = join(folder, "output.txt");
  const times = join(folder, "times.txt");
  const output = openSync(file, "w");
  const child = spawn("bash", ["-c", `trap 'times >"$0"' EXIT\n${command}`, times], {
    cwd,
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  const exit = once(child, "exit") as Promise<[number | null]>;
  const ended = exit.then(([code]) => {
    if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
    const text = readFileSync(file, "utf8");
    const cpuSeconds = existsSync(times) ? secondsIn(readFileSync(times, "utf8")) : 0;
    rmSync(folder, { recursive: true, force: true });
    return { passed: code === 0, output: text, cpuSeconds };
  });
  return {
    ended,
    async abort() {
      if (child.pid === undefined || child.exitCode !== null) return;
      // Some descendants have their own process group. They are collected first, because they lose their parent when it exits.
      const all = withDescendants(child.pid);
      const signalAll = (signal: NodeJS.Signals): void => {
        for (const pid of all) {
          signalGroup(pid, signal);
          send(pid, signal);
        }
      };
      signalAll("SIGTERM");
      await Promise.race([exit, sleep(patienceMs, undefined, { ref: false })]);
      signalAll("SIGKILL");
      await ended;
    },
  };
}

/** The sum of the output of `times` in bash: user and system time of the shell and of the processes that it waited for. */
function secondsIn(times: string): number {
  return Array.from(times.matchAll(/(\d+)m([\d.]+)s/g)).reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
}

/** A process and its descendants. On systems without `/proc`, only the process itself. */
function withDescendants(root: number): readonly number[] {
  if (!existsSync("/proc/self/stat")) return [root];
  const parents = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [[Number(name), parentOf(name)]] : []));
  const found = [root];
  for (const pid of found) found.push(...parents.flatMap(([child = 0, parent]) => (parent === pid ? [child] : [])));
  return found;
}

function parentOf(pid: string): number {
  try {
    // The name of the program, in parentheses, may contain blanks.
    return Number(/^.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
  } catch {
    // It has ended.
    return 0;
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  send(-pid, signal);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
