import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

export interface CommandOptions {
  readonly cwd: string;
  /** How long it may take, in milliseconds. */
  readonly patienceMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** What it gets to read. Default: nothing. */
  readonly input?: string;
  /** The exit code that it has to end with. Default 0. */
  readonly code?: number;
}

/** What a command printed, on both outputs. */
export interface Printed {
  readonly out: string;
  readonly err: string;
}

/** Runs a program to its end. @throws Error with all it has printed when it ends otherwise than it should, or takes too long */
export async function run(command: readonly [string, ...string[]], options: CommandOptions): Promise<Printed> {
  const { cwd, patienceMs, env = {}, input, code: wanted = 0 } = options;
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, detached: hasGroups });
  const ended = once(child, "close") as Promise<[number | null, string | null]>;
  child.stdin.on("error", () => undefined); // it may end without having read everything
  child.stdin.end(input);
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort();
    endAll(child);
  }, patienceMs);
  const [out, err, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  clearTimeout(timer);
  if (hasGroups) endAll(child);
  if (code === wanted) return { out, err };
  const how = late.signal.aborted ? `took more than ${patienceMs} ms` : `ended with ${code ?? signal ?? "nothing"}`;
  throw new Error(`${command.join(" ")}\nin ${cwd} ${how}:\n${out}${err}`);
}

/** A server that logs where it is. */
export interface Served {
  readonly url: string;
  readonly end: () => Promise<void>;
}

/** Starts a server, and waits until it logs a URL. */
export async function serve(command: readonly [string, ...string[]], cwd: string): Promise<Served> {
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  const exit = once(child, "exit");
  const lines = createInterface({ input: child.stderr });
  const logged: string[] = [];
  const timer = setTimeout(() => child.kill("SIGKILL"), startMs);
  const url = await new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => {
      logged.push(line);
      const found = /http:\/\/[^\s"]+/.exec(line)?.[0];
      if (found) resolve(found);
    });
    exit.then(() => reject(new Error(`${command.join(" ")} did not start:\n${logged.join("\n")}`)), reject);
  });
  clearTimeout(timer);
  const end = async (): Promise<void> => {
    const last = setTimeout(() => child.kill("SIGKILL"), endMs);
    child.kill();
    const [code] = (await exit) as [number | null];
    clearTimeout(last);
    if (code !== 0) throw new Error(`${command.join(" ")} did not end cleanly:\n${logged.join("\n")}`);
  };
  return { url, end };
}

const startMs = 20_000;
const endMs = 10_000;

/** A process and its children can be ended together. */
const hasGroups = process.platform !== "win32";

function endAll({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(hasGroups ? -pid : pid, "SIGKILL");
  } catch {
    // All of them have ended.
  }
}
