import type { Form } from "../http/forms.js";
import { Load } from "../http/load.js";
import { HttpServerProcess } from "../http/server-process.js";
import { callsOf, type Effort } from "../shared/effort.js";
import { inTurns } from "../shared/rounds.js";
import type { Stage } from "../shared/stage.js";
import { Tally } from "../shared/tally.js";
import { ProxyProcess } from "./proxy-process.js";

/** CPU microseconds per call in each round, of the process that has HTTP in front of a server on stdio. */
export interface FrontCosts {
  readonly proxy: readonly number[];
  readonly gateway: readonly number[];
}

interface Front {
  readonly port: number;
  readonly cpuMs: number;
  close(): Promise<void>;
}

export async function measureFronts(
  stage: Stage,
  form: Form,
  { rounds, slices, sliceMs, warmUpMs }: Effort,
): Promise<FrontCosts> {
  const started: Front[] = [];
  const runners: { readonly front: Front; readonly load: Load; readonly calls: number; readonly tally: Tally }[] = [];
  try {
    for (const start of [
      () => ProxyProcess.start(stage.script("servers/booking")),
      () => HttpServerProcess.start(stage.script("servers/http-gateway"), [form.reply]),
    ]) {
      const front: Front = await start();
      started.push(front);
      const load = new Load(front.port, form);
      await load.open();
      await load.connect();
      const begin = front.cpuMs;
      let made = 0;
      for (; front.cpuMs - begin < warmUpMs; made += 500) await load.pump(500);
      load.disconnect();
      runners.push({ front, load, calls: callsOf(sliceMs, made, front.cpuMs - begin), tally: new Tally() });
    }
    await inTurns(runners, rounds * slices, async ({ front, load, calls, tally }, turn) => {
      await load.connect();
      await load.pump(Math.ceil(calls / 10));
      const before = front.cpuMs;
      const begin = performance.now();
      await load.pump(calls);
      const wallMs = performance.now() - begin;
      tally.add(Math.floor(turn / slices), { calls, cpuMs: front.cpuMs - before, wallMs });
      load.disconnect();
    });
    const [proxy = [], gateway = []] = runners.map(({ tally }) => tally.cpu);
    return { proxy, gateway };
  } finally {
    await Promise.all(started.map((front) => front.close()));
  }
}
