import { spawn } from "node:child_process";
import { once } from "node:events";
import { inTurns, type Spread, spreadOf } from "../shared/rounds.js";
import { ServerProcess } from "./server-process.js";
import type { Stage } from "../shared/stage.js";
import { starters } from "./subjects.js";
import { opening } from "../shared/traffic.js";

export interface StartRow {
  readonly name: string;
  /** Time from the start of the process to its first reply; for the empty script, to its exit. */
  readonly ms: Spread;
  /** Time beyond that of the empty script in the same round. */
  readonly overEmpty: Spread;
  /** Peak memory until then. */
  readonly peakMegabytes: number | undefined;
}

const empty = "node, empty script";

interface Runner {
  readonly name: string;
  readonly script: string;
  readonly ms: number[];
  peakMegabytes: number | undefined;
}

/** Starts processes, sends each one request, and ends them. */
export async function measureColdStart(stage: Stage, rounds: number): Promise<readonly StartRow[]> {
  const runners = [[empty, "empty"] as const, ...starters].map(([name, script]): Runner => ({
    name,
    script: stage.script(`servers/${script}`),
    ms: [],
    peakMegabytes: undefined,
  }));
  // The first round only fills the file cache.
  await inTurns(runners, 1 + rounds, async (runner, round) => {
    const ms = runner.name === empty ? await startAndEnd(runner.script) : await startAndAsk(runner);
    if (round > 0) runner.ms.push(ms);
  });
  const base = runners[0]?.ms ?? [];
  return runners.map(({ name, ms, peakMegabytes }) => ({
    name,
    ms: spreadOf(ms),
    overEmpty: spreadOf(ms.map((one, round) => one - (base[round] ?? NaN))),
    peakMegabytes,
  }));
}

async function startAndEnd(script: string): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] }), "exit");
  return performance.now() - start;
}

async function startAndAsk(runner: Runner): Promise<number> {
  const start = performance.now();
  const server = new ServerProcess([runner.script]);
  const reply = (await server.ask(opening("2025-11-25"))) as { readonly result?: { readonly serverInfo?: unknown } };
  const elapsed = performance.now() - start;
  if (!reply.result?.serverInfo) throw new Error(`${runner.name} did not reply: ${JSON.stringify(reply)}`);
  runner.peakMegabytes = server.peakMegabytes;
  await server.close();
  return elapsed;
}
