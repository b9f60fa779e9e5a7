import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Order, Spent } from "./clients/driver.js";
import { callsOf, type Effort } from "../shared/effort.js";
import { inTurns, ratios, type Spread, spreadOf } from "../shared/rounds.js";
import type { Stage } from "../shared/stage.js";
import { Tally } from "../shared/tally.js";
import { clients, rawClient, type Subject } from "./subjects.js";

const inFlight = 64;

export interface ClientRow {
  readonly name: string;
  readonly revision: string;
  readonly cpuMicroseconds: Spread;
  /** CPU per call relative to the raw client, in the same round. */
  readonly timesRaw: Spread;
  readonly callsPerSecond: Spread;
}

interface Runner {
  readonly subject: Subject;
  readonly child: ChildProcess;
  calls: number;
  readonly tally: Tally;
}

/** Measures clients in separate processes, each with a raw echo server with coalesced writes. */
export async function measureClients(
  stage: Stage,
  { rounds, slices, sliceMs, warmUpMs }: Effort,
): Promise<readonly ClientRow[]> {
  const runners: Runner[] = [];
  try {
    for (const subject of clients) {
      const child = fork(stage.script(`clients/${subject.script}`), [
        stage.script("servers/raw-coalesced"),
        subject.revision,
      ]);
      const runner: Runner = { subject, child, calls: 2_000, tally: new Tally() };
      runners.push(runner);
      await next(child);
      let used = 0;
      for (let cpuMs; used < warmUpMs; used += cpuMs) {
        ({ cpuMs } = await run(child, 2_000));
        runner.calls = callsOf(sliceMs, 2_000, cpuMs);
      }
    }
    await inTurns(runners, rounds * slices, async ({ child, calls, tally }, turn) => {
      await run(child, Math.ceil(calls / 10));
      const { cpuMs, wallMs } = await run(child, calls);
      tally.add(Math.floor(turn / slices), { calls, cpuMs, wallMs });
    });
    return runners.map(({ subject: { name, revision }, tally: { cpu, rate } }) => {
      const base = runners.find(({ subject }) => subject.name === rawClient && subject.revision === revision);
      return {
        name,
        revision,
        cpuMicroseconds: spreadOf(cpu),
        timesRaw: ratios(cpu, base?.tally.cpu ?? []),
        callsPerSecond: spreadOf(rate),
      };
    });
  } finally {
    for (const { child } of runners) child.kill("SIGKILL");
  }
}

async function run(child: ChildProcess, calls: number): Promise<Spent> {
  child.send({ calls, inFlight } satisfies Order);
  return (await next(child)) as Spent;
}

async function next(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  try {
    const [message] = (await Promise.race([
      once(child, "message", ended),
      once(child, "exit", ended).then(([code]) => {
        throw new Error(`${child.spawnargs.join(" ")} exited with ${String(code)}`);
      }),
    ])) as unknown[];
    return message;
  } finally {
    ended.abort();
  }
}
