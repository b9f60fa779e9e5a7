import { type ChildProcess, spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { root } from "./paths.js";
import type { Suite } from "./suite.js";

/** How a process of the suite ended: `exit 0` or a signal, and all that it printed. */
export interface SuiteEnd {
  readonly end: string;
  readonly output: string;
}

export interface SuiteProcessOptions {
  readonly patienceMs: number;
  /** Called with the whole output so far, whenever there is more of it. */
  readonly onOutput?: (output: string) => void;
}

/** Whether to start process groups, which can be killed as a whole. */
const hasGroups = process.platform !== "win32";

/** Runs a command of the suite until it ends, and kills the processes that it leaves behind. */
export function runSuite(
  suite: Suite,
  args: readonly string[],
  { patienceMs, onOutput }: SuiteProcessOptions,
): Promise<SuiteEnd> {
  return new Promise((resolve, reject) => {
    const { PATH = "" } = process.env;
    const child = spawn(suite.node, [suite.script, ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      // The suite starts the client as `node`, which must be the Node of this process.
      env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${PATH}` },
      detached: hasGroups,
    });
    let output = "";
    const keep = (chunk: Buffer): void => {
      output += chunk.toString();
      onOutput?.(output);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const timer = setTimeout(() => {
      output += `\nkilled after ${patienceMs} ms`;
      endWithChildren(child);
    }, patienceMs);
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (hasGroups) endWithChildren(child);
      resolve({ end: signal ?? `exit ${String(code)}`, output });
    });
  });
}

/** Kills a process and its children: a client that hangs outlives the suite. */
function endWithChildren({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(hasGroups ? -pid : pid, "SIGKILL");
  } catch {
    // All of them have exited.
  }
}
