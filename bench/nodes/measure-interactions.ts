import type { Form } from "../http/forms.js";
import { type Spread, spreadOf } from "../shared/rounds.js";
import type { Stage } from "../shared/stage.js";
import { Cluster } from "./cluster.js";
import { type Commands, countCommands } from "./count-commands.js";
import { type Actor, openAsker, openListener } from "./interactions.js";
import type { Relay } from "./relay.js";

/** What clients do at two nodes. */
export interface Interaction {
  readonly name: string;
  /** Opens a client. @param first, second the ports of two nodes */
  readonly open: (first: number, second: number) => Promise<Actor>;
}

export interface InteractionRow extends Commands {
  readonly name: string;
  /** CPU microseconds of both nodes. */
  readonly nodes: Spread;
  /** CPU microseconds of Redis. */
  readonly redis: Spread;
}

const form: Form = { kind: "sessions", reply: "json" };
const clients = 32;

export const interactions: readonly Interaction[] = [
  { name: "a call that asks the user; the answer reaches another node", open: openAsker },
  { name: "a call that announces a change; the client has a GET stream at another node", open: openListener },
];

/** Measures the CPU of an interaction with `calls` per round, and counts its commands. */
export async function measureInteraction(
  stage: Stage,
  { name, open }: Interaction,
  rounds: number,
  calls: number,
): Promise<InteractionRow> {
  const measured = await withActors(stage, open, "used", async (cluster, run) => {
    await run(5 * calls);
    const [nodes, redis]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const before = { nodes: cluster.nodesMs, redis: cluster.redisMs };
      await run(calls);
      nodes.push(((cluster.nodesMs - before.nodes) * 1_000) / calls);
      redis.push(((cluster.redisMs - before.redis) * 1_000) / calls);
    }
    return { nodes: spreadOf(nodes), redis: spreadOf(redis) };
  });
  const commands = await withActors(stage, open, "counted", async (cluster, run) => {
    await run(clients);
    return countCommands(cluster.relay as Relay, run);
  });
  return { name, ...measured, ...commands };
}

type Run = (count: number) => Promise<void>;

async function withActors<Result>(
  stage: Stage,
  open: Interaction["open"],
  redis: "used" | "counted",
  measure: (cluster: Cluster, run: Run) => Promise<Result>,
): Promise<Result> {
  const cluster = await Cluster.start(stage, form, 2, redis);
  const actors: Actor[] = [];
  try {
    const [first = 0, second = 0] = cluster.ports;
    // Half of the clients begin at each node.
    for (let at = 0; at < clients; at++) actors.push(await (at % 2 === 0 ? open(first, second) : open(second, first)));
    return await measure(cluster, (count) => actAll(actors, count));
  } finally {
    for (const actor of actors) actor.close();
    await cluster.close();
  }
}

/** Each client acts repeatedly, until there are `count` interactions. */
async function actAll(actors: readonly Actor[], count: number): Promise<void> {
  let left = count;
  let isDone = false;
  // As the load of the other measurements, this process does not sleep.
  const poll = (): void => void (!isDone && setImmediate(poll));
  poll();
  try {
    await Promise.all(
      actors.map(async (actor) => {
        while (left-- > 0) await actor.act();
      }),
    );
  } finally {
    isDone = true;
  }
}
