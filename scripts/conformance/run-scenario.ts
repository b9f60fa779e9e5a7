import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtFixtures } from "./paths.js";
import type { Job } from "./scenarios.js";
import { runSuite } from "./suite-process.js";
import type { Suite } from "./suite.js";
import { judgeAlone, type Verdict } from "./verdict.js";

export interface Stage {
  readonly suite: Suite;
  /** The URL of the fixture server. */
  readonly url: string;
  /** The folder to which the suite writes. */
  readonly results: string;
}

/** Longer than the time-out of the suite itself, which is 30 s per scenario. */
const patienceMs = 60_000;

/** Runs one scenario alone, against the fixture server or the fixture client. */
export async function runScenario(stage: Stage, job: Job): Promise<Verdict> {
  const { role, revision, scenario, variant } = job;
  const results = join(stage.results, `${role}-${revision}-${scenario}`, variant ?? "plain");
  mkdirSync(results, { recursive: true });
  const command = ["node", join(builtFixtures, "client.js"), ...(variant === undefined ? [] : [`--${variant}`])].join(
    " ",
  );
  const subject = role === "server" ? ["--url", stage.url] : ["--command", command];
  const options = ["--scenario", scenario, "--spec-version", revision, "--force", "--output-dir", results];
  const ended = await runSuite(stage.suite, [role, ...subject, ...options], { patienceMs });
  writeFileSync(join(results, "output.txt"), ended.output);
  return judgeAlone(job, results, ended);
}
