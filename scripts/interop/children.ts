import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { freePort } from "../free-port.js";

export type Command = readonly [program: string, ...args: string[]];

/** A running program, which must be stopped. */
export interface Running {
  /** Its first line, which contains its URL. */
  readonly url: string;
  readonly end: () => Promise<void>;
}

export interface Ended {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Time-outs in milliseconds. */
const startMs = 15_000;

/** Starts a server and waits until it prints its URL. */
export async function startServer([program, ...args]: Command): Promise<Running> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const exit = once(child, "exit");
  const errors = text(child.stderr);
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    exit.then(() => []),
    late(startMs),
  ])) as [string?];
  if (line === undefined) {
    await endChild(child, exit);
    throw new Error(`it did not start: ${(await errors).trim()}`);
  }
  return { url: line, end: () => endChild(child, exit) };
}

/** Starts a server that reads its port from the environment and does not print its URL. */
export async function startOnPort(command: Command): Promise<Running> {
  const port = await freePort();
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: "ignore", env: { ...process.env, PORT: String(port) } });
  const exit = once(child, "exit");
  const url = `http://127.0.0.1:${port}`;
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  for (const end = performance.now() + startMs; performance.now() < end && !isOver();) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isThere) return { url, end: () => endChild(child, exit) };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await endChild(child, exit);
  throw new Error(`${command.join(" ")} does not listen`);
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** What it reads from its standard input. Default: nothing. */
  readonly input?: string;
  /** Called with each line that it writes to its standard error. */
  readonly onErrorLine?: (line: string) => void;
}

/** Runs a program until it exits. After the time-out, kills it with its children. */
export async function run(
  [program, ...args]: Command,
  patienceMs: number,
  { env = {}, input = "", onErrorLine }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(program, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
    detached: hasGroups,
  });
  // It may exit without reading.
  child.stdin.on("error", () => undefined).end(input);
  if (onErrorLine) createInterface({ input: child.stderr }).on("line", onErrorLine);
  const exit = once(child, "exit") as Promise<[number | null, string | null]>;
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const timer = setTimeout(() => endWithChildren(child), patienceMs);
  const [code, signal] = await exit;
  clearTimeout(timer);
  if (hasGroups) endWithChildren(child);
  const [stdout, stderr] = await output;
  return { code: code ?? signal ?? "unknown", stdout, stderr };
}

/** Whether to start process groups, which can be killed as a whole. */
const hasGroups = process.platform !== "win32";

/** Kills a process and its children: servers on stdio outlive a client that hangs. */
function endWithChildren({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(hasGroups ? -pid : pid, "SIGKILL");
  } catch {
    // All of them have exited.
  }
}

async function endChild(child: ChildProcess, exit: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  const timer = setTimeout(() => child.kill("SIGKILL"), 2_000);
  await exit;
  clearTimeout(timer);
}

function late(ms: number): Promise<[]> {
  return new Promise((resolve) => setTimeout(resolve, ms, []).unref());
}
