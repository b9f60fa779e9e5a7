import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Job, Revision } from "./scenarios.js";
import { runSuite, type SuiteProcessOptions } from "./suite-process.js";
import type { Suite } from "./suite.js";
import { judge, resultFolders, type Verdict } from "./verdict.js";

/** A server that the suite tests with all scenarios of a revision in one process. */
export interface TogetherSubject {
  /** @returns the verdicts on the jobs, which are of this revision */
  run(suite: Suite, revision: Revision, jobs: readonly Job[]): Promise<readonly Verdict[]>;
  end(): Promise<void>;
}

export interface TogetherOptions extends SuiteProcessOptions {
  /** The command and the options of the suite, which select all scenarios of a revision. */
  readonly args: readonly string[];
  /** The folder to which the suite writes. */
  readonly folder: string;
}

/** Runs all scenarios of a revision in one process of the suite. @returns the verdicts on the jobs, which are of this revision */
export async function runTogether(
  suite: Suite,
  jobs: readonly Job[],
  { args, folder, ...options }: TogetherOptions,
): Promise<readonly Verdict[]> {
  mkdirSync(folder, { recursive: true });
  const ended = await runSuite(suite, [...args, "--output-dir", folder], options);
  writeFileSync(join(folder, "output.txt"), ended.output);
  const folders = resultFolders(folder);
  return jobs.map((job) => {
    const own = folders.get(job.scenario);
    if (own !== undefined) return judge(job, own);
    return { job, passed: 0, skipped: [], problems: [`it did not run: ${ended.end}`] };
  });
}
