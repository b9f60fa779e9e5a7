import type { SimulatedClient } from "./clients/client.js";
import { HandshakeClient } from "./clients/handshake-client.js";
import { intrude } from "./clients/intrude.js";
import { SseClient } from "./clients/sse-client.js";
import { StatelessClient } from "./clients/stateless-client.js";
import { Cluster, type NewNode } from "./cluster.js";
import type { Simulation } from "./engine/simulation.js";
import type { SharedStore } from "./shared-store.js";
import { idleMs, settleMs, uris } from "./times.js";

const principals = ["ada", "bob"].map((subject) => ({ issuer: "https://issuer.example", subject }));
const clientClasses = {
  "2024-11-05": SseClient,
  "2025-03-26": HandshakeClient,
  "2025-06-18": HandshakeClient,
  "2025-11-25": HandshakeClient,
  "2026-07-28": StatelessClient,
};
const revisions = Object.keys(clientClasses) as (keyof typeof clientClasses)[];
const dayMs = 86_400_000;

/** A phase of a scenario: time passes, and then it continues. */
export interface Phase {
  readonly ms: number;
}

/**
 * The course of a simulation: clients and faults do something at random, then the faults end, the clients get what they wait for, and
 * leave; in the end, nothing may be left.
 */
export function* scenario(simulation: Simulation, store: SharedStore, newNode?: NewNode): Generator<Phase, void> {
  const { conditions, random } = simulation;
  const cluster = new Cluster(simulation, store, newNode);
  for (let count = 0; count < conditions.nodes; count++) cluster.start();
  const clients = Array.from({ length: conditions.clients }, (_, at) => newClient(cluster, `c${at}`));

  for (let count = 0; count < conditions.actions; count++) {
    yield { ms: random.next() * (random.chance(0.02) ? 2 * idleMs : conditions.pauseMs) };
    if (happens(cluster)) continue;
    const client = random.pick(clients);
    if (random.chance(0.08)) intrude(client, random.pick(clients));
    else client.act();
  }

  simulation.note("faults end");
  simulation.isHealed = true;
  yield { ms: settleMs };
  for (const client of clients) client.settle();
  yield { ms: 5_000 };
  for (const kind of [...uris, "tools"] as const) cluster.publish(kind);
  yield { ms: settleMs };
  for (const client of clients) client.checkEnd();

  simulation.note("clients leave");
  for (const client of clients) client.leave();
  yield { ms: 2.5 * idleMs };
  for (const { name, isAlive, remains } of cluster.nodes)
    if (isAlive && remains) simulation.violate(`${name} still has ${remains}`);

  simulation.note("nodes shut down");
  for (const node of cluster.serving) void node.close(0);
  yield { ms: settleMs };
  for (const node of cluster.nodes) if (node.remains) simulation.violate(`${node.name} still has ${node.remains}`);
  // What nodes know of each other is kept longest.
  yield { ms: 31 * dayMs };
  for (const key of store.remains) simulation.violate(`the backplane still has ${key}`);
  if (simulation.timeline.size > 0) simulation.violate(`${simulation.timeline.size} timers are left`);
}

/** Lets something happen to the nodes, or to what they serve. Returns whether it did. */
function happens(cluster: Cluster): boolean {
  const { conditions, random } = cluster.simulation;
  if (random.chance(0.15)) cluster.publish(random.pick([...uris, "tools"]));
  else if (conditions.killsNodes && random.chance(0.05)) cluster.kill();
  else if (conditions.closesNodes && random.chance(0.03)) cluster.close();
  else if (conditions.interruptsChannels && random.chance(0.1)) cluster.interrupt();
  else if (cluster.serving.length < 4 && random.chance(0.03)) cluster.start();
  else return false;
  return true;
}

function newClient(cluster: Cluster, name: string): SimulatedClient {
  const { random } = cluster.simulation;
  const revision = random.pick(revisions);
  const Client = clientClasses[revision];
  return new Client(cluster, name, revision, random.pick(principals));
}
