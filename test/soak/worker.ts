/** A process with many clients; the driver starts, pauses and ends them: `node --expose-gc worker.mjs`. */
import { heldBytes } from "../../bench/shared/held-bytes.js";
import { McpError } from "../../runtime/src/index.js";
import { type Feature, features } from "./features.js";
import { Gone, HostileLane } from "./hostile-lane.js";
import type { Failure, FromWorker, ToWorker, WorkerPlan } from "./messages.js";
import { Random } from "./random.js";
import { SoakClient } from "./soak-client.js";
import { sleep, waitUntil } from "./wait.js";
import { ModelMismatch } from "./model-mismatch.js";

const [, , hostileStdio = ""] = process.argv;
const lanesPerClient = 2;
/** Steps of a lane until its client closes and connects in another way. */
const stepsPerConnection = 40;
/** How long a client waits for a new session. */
const replacedMs = 3_000;
/** How long steps in progress may take after a pause. */
const restMs = 35_000;

let tally: Record<string, number> = {};
let isPaused = false;
let isOver = false;
const busy = new Set<string>();

function tell(message: FromWorker): void {
  if (process.connected) process.send?.(message);
}

function count(what: string): void {
  tally[what] = (tally[what] ?? 0) + 1;
}

/** The client of a step, and how it is connected. */
type Where = Pick<Failure, "client" | "server" | "transport" | "revision">;

/** Runs one step and reports its failure. Returns whether it succeeded. */
async function attempt(feature: string, step: number, who: () => Where, work: () => Promise<void>): Promise<boolean> {
  const from = Date.now();
  const doing = `${feature} of ${who().client}, step ${step}`;
  busy.add(doing);
  try {
    await work();
    const { revision, transport } = who();
    count(`done ${revision} ${transport} ${feature}`);
    return true;
  } catch (error) {
    const isWrong = error instanceof ModelMismatch;
    const isTyped = error instanceof McpError || isWrong || error instanceof Gone;
    const { message, stack = message } = error as Error;
    const code = isTyped ? String((error as { code: unknown }).code) : "UNTYPED";
    const where = who();
    count(`failed ${where.revision} ${where.transport} ${feature}`);
    const failure = {
      ...where,
      feature,
      step,
      code,
      expected: isWrong ? error.expected : "a response",
      received: isWrong ? error.received : isTyped ? `${message} (${causeOf(error)})` : stack,
      from: error instanceof Gone ? Math.min(from, error.since) : from,
      to: Date.now(),
    };
    tell({ type: "failure", failure });
    return false;
  } finally {
    busy.delete(doing);
  }
}

function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? String(cause) : "no cause";
}

async function rest(random: Random, [low, high]: readonly [number, number]): Promise<void> {
  await sleep(random.between(low, high));
  while (isPaused && !isOver) await sleep(20);
}

async function live(plan: WorkerPlan, index: number): Promise<void> {
  const client = plan.clients[index];
  if (!client) return;
  const random = new Random(`${plan.seed} ${client.name} ${plan.incarnation}`);
  let step = 0;
  let pid = 0;
  const where = (): Where => ({
    client: client.name,
    server: station.transport === "stdio" ? `stdio ${client.name}` : client.server,
    transport: station.transport,
    revision: station.revision,
  });
  const station: SoakClient = new SoakClient(client, plan.incarnation, plan.stdioServer, random, {
    stdioServer(started, running) {
      pid = started;
      tell({ type: "stdio-server", client: client.name, pid, running });
    },
    cut() {
      count(`done ${station.revision} http stream cut, resumed`);
    },
    wrong(what) {
      const { code, expected, received } = what;
      const now = Date.now();
      const feature = "between requests";
      tell({ type: "failure", failure: { ...where(), step, feature, code, expected, received, from: now, to: now } });
    },
  });
  const leave = async (): Promise<void> => {
    await attempt("close", ++step, where, () => station.close());
    if (pid !== 0) station.reports.stdioServer(pid, false);
    pid = 0;
  };
  while (!isOver) {
    if (!(await attempt("connect", ++step, where, () => station.open()))) {
      await sleep(200);
      continue;
    }
    let left = stepsPerConnection * lanesPerClient;
    let alone = false;
    const lane = async (): Promise<void> => {
      while (left-- > 0 && !isOver) {
        const feature = choose(random, station, alone);
        if (feature.alone) alone = true;
        const well = await attempt(feature.name, ++step, where, () => feature.run(station));
        if (feature.alone) alone = false;
        if (!well) await waitUntil(() => station.isOpen, replacedMs);
        if (!station.isOpen) left = 0;
        await rest(random, plan.pauseMs);
      }
    };
    await Promise.all(Array.from({ length: lanesPerClient }, lane));
    await leave();
  }
}

function choose(random: Random, station: SoakClient, busyAlone: boolean): Feature {
  const suiting = features.filter(({ suits, alone }) => !(alone && busyAlone) && (suits?.(station) ?? true));
  let at = random.next() * suiting.reduce((sum, { weight }) => sum + weight, 0);
  for (const feature of suiting) if ((at -= feature.weight) < 0) return feature;
  return random.pick(suiting);
}

async function beHostile({ seed, incarnation, hostile, pauseMs, clients }: WorkerPlan): Promise<void> {
  const random = new Random(`${seed} hostile ${clients[0]?.name ?? ""} ${incarnation}`);
  const name = `hostile of ${clients[0]?.name ?? ""}`;
  const lane = new HostileLane(hostile.port, hostileStdio, random, (pid, running) =>
    tell({ type: "stdio-server", client: name, pid, running }),
  );
  for (let step = 1; !isOver; step++) {
    const transport = random.chance(0.7) ? ("http" as const) : ("stdio" as const);
    const server = transport === "stdio" ? `stdio ${name}` : hostile.server;
    const where = { client: name, server, transport, revision: "raw" };
    await attempt(
      "hostile rows",
      step,
      () => where,
      () => lane[transport](),
    );
    await rest(random, pauseMs);
  }
  await lane.close();
}

function flush(): void {
  if (Object.keys(tally).length > 0) tell({ type: "tally", done: tally });
  tally = {};
}

async function run(plan: WorkerPlan): Promise<void> {
  const flushing = setInterval(flush, 500);
  await Promise.all([...plan.clients.map((_, index) => live(plan, index)), beHostile(plan)]);
  clearInterval(flushing);
  flush();
  tell({ type: "finished", heapBytes: await heldBytes() });
  process.disconnect();
}

process.on("message", (message: ToWorker) => {
  if (message.type === "begin") void run(message.plan);
  else if (message.type === "finish") {
    isOver = true;
    void rested();
  } else {
    isPaused = message.type === "pause";
    if (isPaused) void settle();
  }
});
process.on("disconnect", () => {
  isOver = true;
});

async function settle(): Promise<void> {
  if ((await rested(() => !isPaused)) && isPaused) tell({ type: "idle" });
}

/** Returns whether all steps ended in time, or need not any more; prints the others on standard error. */
async function rested(isVain = () => false): Promise<boolean> {
  const isDone = await waitUntil(() => isVain() || busy.size === 0, restMs);
  if (!isDone) process.stderr.write(`still busy: ${[...busy].join("; ")}\n`);
  return isDone;
}
