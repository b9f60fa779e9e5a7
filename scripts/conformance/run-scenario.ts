import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { builtFixtures, root } from "./paths.js";
import type { Job } from "./scenarios.js";
import type { Suite } from "./suite.js";

/** One thing that a scenario looked at. */
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
  /** Everything that is wrong, in words; nothing is when the scenario passes. */
  readonly problems: readonly string[];
  readonly milliseconds: number;
}

export interface Stage {
  readonly suite: Suite;
  /** Where the fixture server is. */
  readonly url: string;
  /** What the suite writes goes here. */
  readonly results: string;
}

/** More than the 30 s that the suite itself gives a scenario. */
const patienceMs = 60_000;

/** A process and its children can be ended together. */
const hasGroups = process.platform !== "win32";

/** Runs one scenario strictly: warnings, time-outs and exit codes count, and so does it when nothing was looked at. */
export async function runScenario(stage: Stage, job: Job): Promise<Verdict> {
  const { role, revision, scenario } = job;
  const results = join(stage.results, `${role}-${revision}-${scenario}`);
  mkdirSync(results, { recursive: true });
  const subject = role === "server" ? ["--url", stage.url] : ["--command", `node ${join(builtFixtures, "client.js")}`];
  const options = ["--scenario", scenario, "--spec-version", revision, "--force", "--output-dir", results];
  const start = performance.now();
  const { end, output } = await run(stage.suite.node, [stage.suite.script, role, ...subject, ...options]);
  const milliseconds = performance.now() - start;
  writeFileSync(join(results, "output.txt"), output);
  const checks = checksIn(results);
  const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  // That the messages fit the schema says nothing of the scenario.
  const good = checks.filter(({ status, id }) => status === "SUCCESS" && id !== "wire-schema-valid");
  const problems = bad.map(
    ({ id, status, description, errorMessage }) => `${status} ${id}: ${errorMessage ?? description}`,
  );
  if (good.length === 0) problems.push("nothing was checked");
  // A bad check explains the exit code.
  if (end !== "exit 0" && bad.length === 0)
    problems.push(`${end}; the end of its output:\n${output.trimEnd().slice(-1_500)}`);
  const skipped = checks.filter(({ status }) => status === "SKIPPED").map(({ id }) => id);
  return { job, passed: checks.filter(({ status }) => status === "SUCCESS").length, skipped, problems, milliseconds };
}

function run(command: string, args: readonly string[]): Promise<{ readonly end: string; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const { PATH = "" } = process.env;
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      // The client is started by name, and runs on the Node that runs this.
      env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${PATH}` },
      detached: hasGroups,
    });
    let output = "";
    const keep = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const timer = setTimeout(() => {
      output += `\nended after ${patienceMs} ms`;
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

/** Ends a process and what it has started: a client that hangs outlives the suite. */
function endWithChildren({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(hasGroups ? -pid : pid, "SIGKILL");
  } catch {
    // All of them have ended.
  }
}

/** The suite makes a folder per run in the one that it is given. */
function checksIn(folder: string): readonly Check[] {
  const file = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith("checks.json"));
  return file === undefined ? [] : (JSON.parse(readFileSync(join(folder, file), "utf8")) as Check[]);
}
