import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

export interface CommandOptions {
  readonly cwd: string;
  /** The time-out in milliseconds. */
  readonly patienceMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input. Default: empty. */
  readonly input?: string;
  /** The expected exit code. Default: `0`. */
  readonly code?: number;
}

/** The two outputs of a command. */
export interface Printed {
  readonly out: string;
  readonly err: string;
}

/** Runs a program until it exits. @throws Error with its output, for another exit code than the expected one or a time-out */
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

/** A running server, with the URL that it has logged. */
export interface Served {
  readonly url: string;
  readonly end: () => Promise<void>;
}

/** Starts a server and waits until it logs a URL. */
export async function serve(
  command: readonly [string, ...string[]],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
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
    const [code, signal] = (await exit) as [number | null, string | null];
    clearTimeout(last);
    if (code !== 0 && signal !== "SIGTERM")
      throw new Error(`${command.join(" ")} exited with an error:\n${logged.join("\n")}`);
  };
  return { url, end };
}

const startMs = 20_000;
const endMs = 10_000;

/** Whether to start process groups, which can be killed as a whole. */
const hasGroups = process.platform !== "win32";

function endAll({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(hasGroups ? -pid : pid, "SIGKILL");
  } catch {
    // All of them have exited.
  }
}
