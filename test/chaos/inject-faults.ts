import type { Random } from "../soak/random.js";
import { sleep } from "../soak/wait.js";
import type { ChaosLog, Fault, FaultKind } from "./chaos-log.js";
import type { Cluster } from "./cluster.js";
import type { RedisPair } from "../redis/redis-pair.js";

/** The faults of a round, in a random order. */
const round: readonly FaultKind[] = ["node killed", "node killed", "Redis restarted", "failed over"];

/**
 * Injects all faults of a round, one after the other.
 * @param everyMs milliseconds from the beginning of one to that of the next
 */
export async function injectRound(
  cluster: Cluster,
  redis: RedisPair,
  log: ChaosLog,
  random: Random,
  everyMs: number,
  say: (text: string) => void,
): Promise<void> {
  for (const kind of random.shuffled(round)) {
    const fault: Fault = { kind, from: Date.now(), to: Infinity };
    log.faults.push(fault);
    if (kind === "node killed") {
      const node = random.between(1, cluster.size - 1);
      say(`node ${node} is killed`);
      await cluster.restart(node, random.between(0, 1_500));
    } else if (kind === "Redis restarted") {
      say("Redis is killed, and started again");
      await redis.restart(random.between(0, 1_000));
    } else {
      say("Redis fails over to its replica");
      fault.lostSince = Date.now();
      await redis.beginLoss();
      await sleep(random.between(50, 400));
      await redis.failOver();
    }
    fault.to = Date.now();
    await sleep(Math.max(0, fault.from + everyMs - Date.now()));
  }
}
