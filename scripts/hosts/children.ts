import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

/** A running program or server, which must be stopped. */
export interface Running {
  readonly url: string;
  readonly end: () => Promise<void>;
}

/** Starts a server that prints its URL in the first line. */
export async function startServer(command: string, args: readonly string[]): Promise<Running> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exit = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const [url] = (await Promise.race([once(lines, "line"), exit])) as [unknown];
  if (typeof url !== "string") throw new Error(`${command} ${args.join(" ")} exited without a URL`);
  return { url, end: () => endChild(child, exit) };
}

/** Runs a program until it exits. @returns its output */
export async function run(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit") as Promise<[number | null]>]);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${String(code)}`);
  return output;
}

export async function endChild(child: ChildProcess, exit = once(child, "exit")): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await exit;
  clearTimeout(timer);
}
