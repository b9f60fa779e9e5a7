import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { builtFixtures, root } from "./paths.js";
import type { Job } from "./scenarios.js";
import type { Suite } from "./suite.js";

/** One check of a scenario. */
interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly description: string;
  readonly errorMessage?: string;
}

export interface Verdict {
  readonly job: Job;
  readonly passed: number;
  readonly skipped: readonly string[];
  /** All problems as messages; empty when the scenario passes. */
  readonly problems: readonly string[];
  readonly milliseconds: number;
}

export interface Stage {
  readonly suite: Suite;
  /** The URL of the fixture server. */
  readonly url: string;
  /** The folder to which the suite writes. */
  readonly results: string;
}

/** Longer than the time-out of the suite itself, which is 30 s per scenario. */
const patienceMs = 60_000;

/** Whether to start process groups, which can be killed as a whole. */
const hasGroups = process.platform !== "win32";

/** Runs one scenario. Warnings, time-outs, non-zero exit codes and scenarios without checks are problems. */
export async function runScenario(stage: Stage, job: Job): Promise<Verdict> {
  const { role, revision, scenario, variant } = job;
  const results = join(stage.results, `${role}-${revision}-${scenario}`, variant ?? "plain");
  mkdirSync(results, { recursive: true });
  const command = ["node", join(builtFixtures, "client.js"), ...(variant === undefined ? [] : [`--${variant}`])].join(
    " ",
  );
  const subject = role === "server" ? ["--url", stage.url] : ["--command", command];
  const options = ["--scenario", scenario, "--spec-version", revision, "--force", "--output-dir", results];
  const start = performance.now();
  const { end, output } = await run(stage.suite.node, [stage.suite.script, role, ...subject, ...options]);
  const milliseconds = performance.now() - start;
  writeFileSync(join(results, "output.txt"), output);
  const checks = checksIn(results);
  const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  // Whether the messages match the schema does not depend on the scenario.
  const good = checks.filter(({ status, id }) => status === "SUCCESS" && id !== "wire-schema-valid");
  const problems = bad.map(
    ({ id, status, description, errorMessage }) => `${status} ${id}: ${errorMessage ?? description}`,
  );
  if (good.length === 0) problems.push("nothing was checked");
  // A failed check explains the exit code.
  if (end !== "exit 0" && bad.length === 0)
    problems.push(`${end}; its last output:\n${output.trimEnd().slice(-1_500)}`);
  const skipped = checks.filter(({ status }) => status === "SKIPPED").map(({ id }) => id);
  return { job, passed: checks.filter(({ status }) => status === "SUCCESS").length, skipped, problems, milliseconds };
}

function run(command: string, args: readonly string[]): Promise<{ readonly end: string; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const { PATH = "" } = process.env;
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      // The suite starts the client as `node`, which must be the Node of this process.
      env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${PATH}` },
      detached: hasGroups,
    });
    let output = "";
    const keep = (chunk: Buffer): void => void (output += chunk.toString());
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

/** Reads the checks from the folder that the suite creates for a run in the output folder. */
function checksIn(folder: string): readonly Check[] {
  const file = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith("checks.json"));
  return file === undefined ? [] : (JSON.parse(readFileSync(join(folder, file), "utf8")) as Check[]);
}
