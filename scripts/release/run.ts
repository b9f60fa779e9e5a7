import { spawnSync } from "node:child_process";
import { npmCommand } from "../npm.js";

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program and waits until it exits. */
export type Run = (program: string, args: readonly string[]) => Ended;

/** Runs programs in a folder, without a terminal, so that they do not prompt. */
export function runIn(cwd: string, timeoutMs = 300_000): Run {
  return (program, args) => {
    const command = program === "npm" ? npmCommand(args) : ([program, args] as const);
    const { status, signal, error, stdout, stderr } = spawnSync(...command, {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      maxBuffer: 64 * 1024 * 1024,
    });
    if (error) return { code: 1, stdout, stderr: `${program}: ${error.message}` };
    return {
      code: status ?? 1,
      stdout,
      stderr: signal === null ? stderr : `${stderr}\n${program} was killed by ${signal}`,
    };
  };
}

/** @returns the standard output of a program @throws Error with its output, when it failed */
export function outputOf({ code, stdout, stderr }: Ended, what: string): string {
  if (code !== 0)
    throw new Error(
      `${what} failed (${code}):\n${[stdout, stderr]
        .map((text) => text.trim())
        .join("\n")
        .trim()}`,
    );
  return stdout;
}
