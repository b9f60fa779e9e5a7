import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Job } from "./scenarios.js";
import type { SuiteEnd } from "./suite-process.js";

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
  /** Why the specification does not let the scenario pass at this server. */
  readonly excuse?: string;
}

/** Whether a scenario neither passes nor has a reason for that. */
export function isFailed({ problems, excuse }: Verdict): boolean {
  return problems.length > 0 && excuse === undefined;
}

/**
 * Judges one scenario. Warnings and scenarios without checks are problems.
 * @param folder contains the results of this scenario
 * @param ended how the process ended, which may have run other scenarios, too
 */
export function judge(job: Job, folder: string, ended: SuiteEnd): Verdict {
  const checks = checksIn(folder);
  const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  // Whether the messages match the schema does not depend on the scenario.
  const good = checks.filter(({ status, id }) => status === "SUCCESS" && id !== "wire-schema-valid");
  const problems = bad.map(
    ({ id, status, description, errorMessage }) => `${status} ${id}: ${errorMessage ?? description}`,
  );
  if (good.length === 0) problems.push(`nothing was checked: ${lastOutput(ended)}`);
  const skipped = checks.filter(({ status }) => status === "SKIPPED").map(({ id }) => id);
  return { job, passed: checks.filter(({ status }) => status === "SUCCESS").length, skipped, problems };
}

/** Judges a scenario that ran alone: time-outs and non-zero exit codes are problems, too. */
export function judgeAlone(job: Job, folder: string, ended: SuiteEnd): Verdict {
  const verdict = judge(job, folder, ended);
  // A problem explains the exit code.
  if (ended.end === "exit 0" || verdict.problems.length > 0) return verdict;
  return { ...verdict, problems: [lastOutput(ended)] };
}

/** How a process ended, and the end of its output. */
export function lastOutput({ end, output }: SuiteEnd): string {
  return `${end}; its last output:\n${output.trimEnd().slice(-1_500)}`;
}

/** Finds the folder with the results of each scenario in the output folder of a run of several. */
export function resultFolders(output: string): ReadonlyMap<string, string> {
  const name = /^(?:authorization-)?server-(.+)-\d{4}-\d\d-\d\dT/;
  return new Map(
    readdirSync(output).flatMap((folder) => {
      const [, scenario] = name.exec(folder) ?? [];
      return scenario === undefined ? [] : [[scenario, join(output, folder)] as const];
    }),
  );
}

/** Reads the checks from a folder, or from the folder that the suite created in it. */
function checksIn(folder: string): readonly Check[] {
  const file = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith("checks.json"));
  return file === undefined ? [] : (JSON.parse(readFileSync(join(folder, file), "utf8")) as Check[]);
}
