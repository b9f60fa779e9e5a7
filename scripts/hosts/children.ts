import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

/** Something that runs and has to be ended. */
export interface Running {
  readonly url: string;
  readonly end: () => Promise<void>;
}

/** Starts a server that says on its first line where it is. */
export async function startServer(command: string, args: readonly string[]): Promise<Running> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exit = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const [url] = (await Promise.race([once(lines, "line"), exit])) as [unknown];
  if (typeof url !== "string") throw new Error(`${command} ${args.join(" ")} ended at once`);
  return { url, end: () => endChild(child, exit) };
}

/** Runs a program to its end, and gives what it wrote. */
export async function run(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit") as Promise<[number | null]>]);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${String(code)}`);
  return output;
}

export async function endChild(child: ChildProcess, exit = once(child, "exit")): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await exit;
  clearTimeout(timer);
}
