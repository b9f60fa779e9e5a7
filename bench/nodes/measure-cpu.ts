import type { Form } from "../http/forms.js";
import { Load } from "../http/load.js";
import { callsOf, type Effort } from "../shared/effort.js";
import { inTurns } from "../shared/rounds.js";
import type { Stage } from "../shared/stage.js";
import { Tally } from "../shared/tally.js";
import { Cluster } from "./cluster.js";

/** Nodes that are measured. */
export interface Subject {
  readonly name: string;
  readonly form: Form;
  readonly nodes: number;
  readonly hasRedis: boolean;
}

/** CPU microseconds per call, of each round. */
export interface Cost {
  readonly nodes: readonly number[];
  readonly redis: readonly number[];
}

interface Runner {
  readonly subject: Subject;
  readonly cluster: Cluster;
  readonly load: Load;
  calls: number;
  readonly nodes: Tally;
  readonly redis: Tally;
}

/** Calls the tool repeatedly at all subjects, in turns. Returns a cost for each. */
export async function measureCosts(stage: Stage, effort: Effort, subjects: readonly Subject[]): Promise<Cost[]> {
  const runners: Runner[] = [];
  try {
    for (const subject of subjects) {
      const cluster = await Cluster.start(stage, subject.form, subject.nodes, subject.hasRedis ? "used" : "none");
      const load = new Load(cluster.ports, subject.form);
      const runner = { subject, cluster, load, calls: 0, nodes: new Tally(), redis: new Tally() };
      runners.push(runner);
      await load.open();
      await warmUp(runner, effort);
    }
    for (let round = 0; round < effort.rounds; round++) {
      // Servers close connections after some idle seconds: each round opens new ones.
      for (const { load } of runners) await load.connect();
      await inTurns(runners, effort.slices, (runner) => sample(runner, round));
      for (const { load } of runners) load.disconnect();
    }
    return runners.map(({ nodes, redis }) => ({ nodes: nodes.cpu, redis: redis.cpu }));
  } finally {
    await Promise.all(runners.map(({ cluster }) => cluster.close()));
  }
}

async function warmUp(runner: Runner, { warmUpMs, sliceMs }: Effort): Promise<void> {
  const { cluster, load, subject } = runner;
  await load.connect();
  const start = cluster.nodesMs;
  let before = start;
  let used = 0;
  do {
    await load.pump(1_000 * subject.nodes);
    used = cluster.nodesMs - before;
    before += used;
  } while (before - start < warmUpMs * subject.nodes);
  load.disconnect();
  runner.calls = subject.nodes * callsOf(sliceMs, 1_000 * subject.nodes, used);
}

async function sample({ cluster, load, calls, nodes, redis }: Runner, round: number): Promise<void> {
  // Exclude the cost of cold processor caches and of new connections.
  await load.pump(Math.ceil(calls / 10));
  const before = { nodes: cluster.nodesMs, redis: cluster.redisMs };
  const start = performance.now();
  await load.pump(calls);
  const wallMs = performance.now() - start;
  nodes.add(round, { calls, cpuMs: cluster.nodesMs - before.nodes, wallMs });
  redis.add(round, { calls, cpuMs: cluster.redisMs - before.redis, wallMs });
}
