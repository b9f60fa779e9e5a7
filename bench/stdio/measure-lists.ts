import { callsOf, type Effort } from "../shared/effort.js";
import { inTurns, ratios, type Spread, spreadOf } from "../shared/rounds.js";
import type { Stage } from "../shared/stage.js";
import { Tally } from "../shared/tally.js";
import { checkList, list } from "../shared/traffic.js";
import { ServerProcess } from "./server-process.js";
import { listFloor, lists, type Subject } from "./subjects.js";

const tools = 100;
/** More concurrent calls would only fill the pipe. */
const inFlight = 4;

export interface ListRow {
  readonly name: string;
  readonly revision: string;
  readonly cpuMicroseconds: Spread;
  /** CPU per call relative to the floor, in the same round. */
  readonly timesFloor: Spread;
  readonly bytes: number;
}

interface Runner {
  readonly subject: Subject;
  readonly process: ServerProcess;
  readonly bytes: number;
  readonly calls: number;
  readonly tally: Tally;
}

/** Measures `tools/list` with a hundred tools. */
export async function measureLists(stage: Stage, effort: Effort): Promise<readonly ListRow[]> {
  const processes: ServerProcess[] = [];
  try {
    const runners: Runner[] = [];
    for (const subject of lists) {
      const process = new ServerProcess([stage.script(`servers/${subject.script}`), String(tools), subject.revision]);
      processes.push(process);
      runners.push(await warmedUp(process, subject, effort));
    }
    const { rounds, slices } = effort;
    await inTurns(runners, rounds * slices, async ({ process, subject, calls, tally }, turn) => {
      const before = process.cpuMs;
      const start = performance.now();
      await process.pump(list(subject.revision), calls, inFlight);
      tally.add(Math.floor(turn / slices), {
        calls,
        cpuMs: process.cpuMs - before,
        wallMs: performance.now() - start,
      });
    });
    return runners.map((runner) => rowOf(runner, runners));
  } finally {
    await Promise.all(processes.map((process) => process.close()));
  }
}

async function warmedUp(process: ServerProcess, subject: Subject, { warmUpMs, sliceMs }: Effort): Promise<Runner> {
  const template = list(subject.revision);
  await process.open(subject.revision);
  const reply = await process.ask(template);
  checkList(reply, tools);
  const start = process.cpuMs;
  let used = 0;
  for (let before = start; before - start < warmUpMs; before += used) {
    await process.pump(template, 100, inFlight);
    used = process.cpuMs - before;
  }
  return {
    subject,
    process,
    bytes: JSON.stringify(reply).length,
    calls: callsOf(sliceMs, 100, used, 5 * inFlight),
    tally: new Tally(),
  };
}

function rowOf({ subject: { name, revision }, bytes, tally }: Runner, runners: readonly Runner[]): ListRow {
  const base = runners.find(({ subject }) => subject.name === listFloor && subject.revision === revision);
  return {
    name,
    revision,
    cpuMicroseconds: spreadOf(tally.cpu),
    timesFloor: ratios(tally.cpu, base?.tally.cpu ?? []),
    bytes,
  };
}
