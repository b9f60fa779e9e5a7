import { callsOf, type Effort } from "../shared/effort.js";
import { inTurns } from "../shared/rounds.js";
import type { Stage } from "../shared/stage.js";
import { Tally } from "../shared/tally.js";
import { checkList, list, type Revision } from "../shared/traffic.js";
import { ServerProcess } from "../stdio/server-process.js";

export const tools = 2_000;
export const servers = 100;
/** More concurrent requests would only fill the pipe. */
const inFlight = 4;

/** CPU microseconds per warm list in each round, of one server and of a gateway in front of many. */
export interface ListCosts {
  readonly one: readonly number[];
  readonly many: readonly number[];
}

export async function measureLists(
  stage: Stage,
  revision: Revision,
  { rounds, slices, sliceMs, warmUpMs }: Effort,
): Promise<ListCosts> {
  const template = list(revision);
  const runners: { readonly process: ServerProcess; readonly calls: number; readonly tally: Tally }[] = [];
  const started: ServerProcess[] = [];
  try {
    for (const args of [
      [stage.script("servers/one-server"), String(tools)],
      [stage.script("servers/many-servers"), String(tools), String(servers)],
    ]) {
      const process = new ServerProcess(args);
      started.push(process);
      await process.open(revision);
      checkList(await process.ask(template), tools);
      const start = process.cpuMs;
      let made = 0;
      for (; process.cpuMs - start < warmUpMs; made += 10) await process.pump(template, 10, inFlight);
      const calls = callsOf(sliceMs, made, process.cpuMs - start, 2 * inFlight);
      runners.push({ process, calls, tally: new Tally() });
    }
    await inTurns(runners, rounds * slices, async ({ process, calls, tally }, turn) => {
      const before = process.cpuMs;
      const begin = performance.now();
      await process.pump(template, calls, inFlight);
      const wallMs = performance.now() - begin;
      tally.add(Math.floor(turn / slices), { calls, cpuMs: process.cpuMs - before, wallMs });
    });
    const [one = [], many = []] = runners.map(({ tally }) => tally.cpu);
    return { one, many };
  } finally {
    await Promise.all(started.map((process) => process.close()));
  }
}
