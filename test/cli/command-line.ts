import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { run } from "../../generator/cli/run.js";

export const root = resolve(import.meta.dirname, "../..");
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

/** What a command line ends with. */
export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process. */
export function cli(...args: readonly string[]): Promise<Outcome> {
  return cliOn({ isTTY: false }, ...args);
}

/** The same, with a terminal or without. */
export async function cliOn({ isTTY }: { readonly isTTY: boolean }, ...args: readonly string[]): Promise<Outcome> {
  const [out, err] = [[] as string[], [] as string[]];
  const code = await run(args, { isTTY, write: (text) => out.push(text) }, { isTTY, write: (text) => err.push(text) });
  return { code, out: out.join(""), err: err.join("") };
}

/** How users start it: from the sources of a checkout, or as the published bundle. */
const programs = {
  source: { flags: ["--import", tsx], script: "generator/cli.ts" },
  bundle: { flags: [], script: "dist/cli.js" },
} as const;

export interface ChildOptions {
  readonly program?: keyof typeof programs;
  /** The checkout to run. */
  readonly checkout?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The words that start it. */
export function commandLine(
  args: readonly string[],
  program: keyof typeof programs = "source",
  checkout = root,
): readonly string[] {
  const { flags, script } = programs[program];
  return [process.execPath, ...flags, join(checkout, script), ...args];
}

/** Starts a command line as a process of its own. */
export function startCli(args: readonly string[], options: ChildOptions = {}): ChildProcess {
  const { program, checkout = root, cwd = checkout, env = {} } = options;
  const [file = "", ...rest] = commandLine(args, program, checkout);
  return spawn(file, rest, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

export async function childCli(args: readonly string[], options: ChildOptions = {}): Promise<Outcome> {
  const child = startCli(args, options);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exitCode(child)]);
  return { code, out, err };
}

export async function exitCode(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, "close")) as [number | null];
  return code;
}

async function text(stream: Readable | null): Promise<string> {
  let all = "";
  for await (const chunk of stream ?? []) all += String(chunk);
  return all;
}
