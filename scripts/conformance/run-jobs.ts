import { join } from "node:path";
import { startOAuthProxy } from "./authorization-run.js";
import { startFixtureServer } from "./fixture-server.js";
import { type Link, startGateway } from "./gateway-run.js";
import { startNodes } from "./nodes-run.js";
import { startProtectedServer } from "./protected-run.js";
import { runScenario } from "./run-scenario.js";
import { compare, excuse, type TogetherSubject } from "./run-together.js";
import { type Job, revisions } from "./scenarios.js";
import type { Suite } from "./suite.js";
import type { Verdict } from "./verdict.js";

/** The number of processes of the suite that run at the same time. */
const atOnce = 2;

export interface Verdicts {
  /** In the order of the jobs. */
  readonly verdicts: readonly Verdict[];
  /** Of the server scenarios at other servers, by their difference to the plain fixture server. */
  readonly again: ReadonlyMap<string, readonly Verdict[]>;
}

/** The servers at which the server scenarios run once more. */
export interface OtherServers {
  /** The number of nodes of one of them; there is none when it is 1. */
  readonly nodes: number;
  /** How gateways reach the fixture server: one of them each. */
  readonly gateways: readonly Link[];
}

/**
 * Runs all jobs, and the server scenarios once more at each of the other servers.
 * @param results the folder to which the suite writes
 */
export async function runJobs(
  suite: Suite,
  results: string,
  jobs: readonly Job[],
  { nodes, gateways }: OtherServers,
): Promise<Verdicts> {
  const ends: (() => Promise<void>)[] = [];
  try {
    const found = new Map<Job, Verdict>();
    const again = new Map<string, { verdicts: Verdict[]; subject: TogetherSubject }>();
    const tasks: (() => Promise<void>)[] = [];
    const addTogether = (subject: TogetherSubject, some: readonly Job[], add: (verdict: Verdict) => void): void => {
      ends.push(() => subject.end());
      for (const revision of revisions) {
        const own = some.filter((job) => job.revision === revision);
        if (own.length > 0) tasks.push(async () => (await subject.run(suite, revision, own)).forEach(add));
      }
    };
    const servers = jobs.filter(({ role }) => role === "server");
    let url = "";
    if (servers.length > 0) {
      const server = await startFixtureServer(join(results, "server.txt"));
      ends.push(() => server.end());
      url = server.url;
      const addAgain = (how: string, subject: TogetherSubject): void => {
        const verdicts: Verdict[] = [];
        again.set(how, { verdicts, subject });
        addTogether(subject, servers, (verdict) => verdicts.push(verdict));
      };
      addAgain("with authorization", await startProtectedServer(results));
      if (nodes > 1) addAgain(`at ${nodes} nodes`, await startNodes(results, nodes));
      for (const link of gateways) addAgain(`through a gateway over ${link}`, await startGateway(results, link));
    }
    const authorization = jobs.filter(({ role }) => role === "authorization");
    if (authorization.length > 0)
      addTogether(await startOAuthProxy(results), authorization, (verdict) => found.set(verdict.job, verdict));
    for (const job of jobs)
      if (job.role !== "authorization")
        tasks.push(async () => void found.set(job, await runScenario({ suite, url, results }, job)));
    await workOff(tasks);
    const verdicts = jobs.flatMap((job) => found.get(job) ?? []);
    const compared = [...again].map(
      ([how, { verdicts: some, subject }]) => [how, excuse(compare(some, verdicts, how), subject.excuses)] as const,
    );
    return { verdicts, again: new Map(compared) };
  } finally {
    for (const end of ends) await end();
  }
}

async function workOff(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const queue = [...tasks];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) await next();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
