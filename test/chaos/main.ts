/** Runs clients of all revisions while nodes and Redis fail: npm run chaos -- --minutes N --clients 200 --seed S */
import { parseArgs } from "node:util";
import { bundlePrograms } from "../soak/bundles.js";
import { Random } from "../soak/random.js";
import { sleep } from "../soak/wait.js";
import { ChaosLog } from "./chaos-log.js";
import { Cluster } from "./cluster.js";
import { growthOf } from "./growth.js";
import { injectRound } from "./inject-faults.js";
import { findUnbounded, keysOfEnded, keysOfSessions, type Lives, longestMs, memoryOf, readLives } from "./keys.js";
import { RedisPair } from "../redis/redis-pair.js";
import { summarize } from "./summary.js";
import { Workers } from "./workers.js";

const nodes = 4;
/** The time after which sessions that are not used end. */
const idleMs = 12_000;
/** How long the data of a session that is not used is kept: nodes extend it when an eighth of the time has passed. */
const sessionMs = (idleMs * 9) / 8;
/** The factor by which memory may grow, and the bytes: Redis needs little. */
const [tolerance, toleranceBytes] = [1.1, 2 * 2 ** 20];
/** Milliseconds between two faults. */
const everyMs = 5_000;
/** Milliseconds between two steps of a client. */
const pauseMs = [300, 2_500] as const;
/** The number of failures and violations that are printed in full. */
const most = 10;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    clients: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const { seed } = values;
const [minutes, clients] = [Number(values.minutes), Number(values.clients)];
if (!(minutes > 0 && minutes <= 24 * 60 && Number.isInteger(clients) && clients > 0)) {
  process.stderr.write("usage: npm run chaos -- [--minutes N] [--clients N] [--seed S]\n");
  process.exit(2);
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const began = Date.now();
const phase = (name: string): void => say(`${((Date.now() - began) / 1_000).toFixed(1)} s: ${name}`);
const log = new ChaosLog();
const random = new Random(`${seed} faults`);
const ends: (() => unknown)[] = [];
/** The memory at each pause, in bytes. */
const [heap, redisBytes]: [number[], number[]] = [[], []];
say(`chaos: ${minutes} minutes, ${clients} clients, ${nodes} nodes, seed ${seed}`);
try {
  const { programs, remove } = await bundlePrograms(import.meta.dirname, { node: "node.ts", worker: "worker.ts" });
  ends.push(remove);
  const redis = await RedisPair.start();
  ends.push(() => redis.remove());
  const cluster = await Cluster.start(nodes, [programs.node, redis.url, String(idleMs)], {
    onExecuted: (nonces) => log.addExecuted(nonces),
    onReport: (_, text) => log.addReport(text),
    onDeath: (how) => log.problems.push(how),
  });
  ends.push(() => cluster.end());
  const workers = Workers.start(programs.worker, clients, cluster.url, seed, pauseMs, log);
  ends.push(() => workers.kill());
  const checkKeys = async (): Promise<Lives> => {
    const lives = await readLives(redis);
    log.problems.push(...findUnbounded(lives, sessionMs));
    return lives;
  };
  phase("clients begin");
  await sleep(pauseMs[1]);
  const end = began + minutes * 60_000;
  do {
    await injectRound(cluster, redis, log, random, everyMs, phase);
    phase("clients pause");
    await workers.pause();
    await checkKeys();
    heap.push(await cluster.heapBytes());
    redisBytes.push(await memoryOf(redis));
    workers.resume();
  } while (Date.now() < end);
  phase("clients end");
  await workers.finish();
  await cluster.end();
  phase("sessions end");
  await sleep(sessionMs + 500);
  for (const key of keysOfSessions(await checkKeys())) log.problems.push(`Redis still has ${key}`);
  if (minutes >= 1) {
    phase("everything else ends");
    await sleep(longestMs - sessionMs);
    for (const key of keysOfEnded(await checkKeys())) log.problems.push(`Redis still has ${key}`);
  }
  for (const [what, bytes] of [
    ["the heap of the oldest node", heap],
    ["the memory of Redis", redisBytes],
  ] as const) {
    const growth = growthOf(bytes);
    if (growth !== undefined && growth > Math.max(tolerance, 1 + toleranceBytes / Math.max(...bytes)))
      log.problems.push(`${what} grew by ${growth.toFixed(3)}`);
    const shown = bytes.map((one) => (one / 2 ** 20).toFixed(2)).join(", ");
    say(`${what}: ${shown} MiB${growth === undefined ? "" : `, growth ${growth.toFixed(3)}`}`);
  }
  say(`\n${summarize(log)}`);
} catch (error) {
  log.problems.push(`the run failed: ${(error as Error).stack ?? String(error)}`);
} finally {
  for (const one of ends.reverse()) await one();
}

const { violations, unexplained, problems } = log;
for (const { name, client, revision, what, detail, from, to } of unexplained.slice(0, most))
  say(`\nUNEXPLAINED: ${name ?? "not documented"}: ${what} of ${client} (${revision}), ${from} to ${to}\n${detail}`);
for (const { rule, client, detail, periods, recent = [] } of violations.slice(0, most))
  say(`\nVIOLATION: ${rule}: ${client}: ${detail}, ${periods.join(" and ")}\n${recent.join("\n")}`);
for (const problem of problems.slice(0, most)) say(`\nVIOLATION: ${problem}`);
if (violations.length + unexplained.length > 0)
  say(`\nfaults: ${log.faults.map(({ kind, from, to }) => `${kind} ${from} to ${to}`).join("; ")}`);
const bad = violations.length + unexplained.length + problems.length;
say(`\n${bad === 0 ? "PASSED" : "FAILED"}: ${bad} violations; seed ${seed}`);
process.exitCode = bad === 0 ? 0 : 1;
