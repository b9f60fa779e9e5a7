import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runScenario } from "./run-scenario.js";
import { isUnrequired, type Job, listingOf, type Revision } from "./scenarios.js";
import { runSuite, type SuiteProcessOptions } from "./suite-process.js";
import type { Suite } from "./suite.js";
import { judge, lastOutput, resultFolders, type Verdict } from "./verdict.js";

/** A server that the suite tests with all scenarios of a revision in one process. */
export interface TogetherSubject {
  /** Why the specification does not let scenarios pass at this server, by their names. */
  readonly excuses?: Readonly<Record<string, string>>;
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

/** All scenarios of a revision run in one process. */
const patienceMs = 180_000;

/**
 * Runs all server scenarios of a revision in one process of the suite, and then, each alone, those that no listing contains.
 * @returns the verdicts on the jobs, which are of this revision
 */
export async function runServerScenarios(
  suite: Suite,
  revision: Revision,
  jobs: readonly Job[],
  { url, folder }: { readonly url: string; readonly folder: string },
): Promise<readonly Verdict[]> {
  const option = listingOf(revision);
  const selection = option === "--requirements" ? [option, revision] : ["--suite", "all", option, revision];
  const listed = jobs.filter((job) => !isUnrequired(job));
  const args = ["server", "--url", url, ...selection];
  const verdicts = listed.length > 0 ? [...(await runTogether(suite, listed, { args, folder, patienceMs }))] : [];
  for (const job of jobs) if (isUnrequired(job)) verdicts.push(await runScenario({ suite, url, results: folder }, job));
  return verdicts;
}

/**
 * Adds a problem to each verdict that differs from that of the same job at the plain fixture server.
 * @param how the difference between the servers, such as "with authorization"
 */
export function compare(found: readonly Verdict[], plain: readonly Verdict[], how: string): readonly Verdict[] {
  return found.map((verdict) => {
    const [here, there] = [verdict, plain.find(({ job }) => job === verdict.job)].map(
      (one) => one && `${one.passed} passed, skipped: ${one.skipped.join()}`,
    );
    if (here === there) return verdict;
    const problem = `${how} ${String(here)}; otherwise ${String(there)}`;
    return { ...verdict, problems: [...verdict.problems, problem] };
  });
}

/** Adds their reasons to the verdicts on scenarios that cannot pass. One that passes nevertheless is a problem. */
export function excuse(verdicts: readonly Verdict[], excuses: TogetherSubject["excuses"] = {}): readonly Verdict[] {
  return verdicts.map((verdict) => {
    const reason = excuses[verdict.job.scenario];
    if (reason === undefined) return verdict;
    if (verdict.problems.length > 0) return { ...verdict, excuse: reason };
    return { ...verdict, problems: [`it passes, but is listed as one that cannot: ${reason}`] };
  });
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
    if (own !== undefined) return judge(job, own, ended);
    return { job, passed: 0, skipped: [], problems: [`it did not run: ${lastOutput(ended)}`] };
  });
}
