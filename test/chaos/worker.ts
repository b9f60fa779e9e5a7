/** A process with many clients, which the driver starts, pauses and ends. */
import { Random } from "../soak/random.js";
import { sleep, waitUntil } from "../soak/wait.js";
import { ChaosClient, type OpenSession } from "./chaos-client.js";
import type { FromWorker, ToWorker, WorkerPlan } from "./messages.js";
import { type Step, steps } from "./steps.js";

/** Steps until a client closes its connection, and opens another. */
const stepsPerConnection = [30, 90] as const;
/** How long a client whose connection has ended waits, in milliseconds. */
const awayMs = 300;
/** Longer than a call takes. */
const restMs = 90_000;
/** The share of clients that end without closing their sessions. */
const abandonedShare = 0.25;

let tally: Record<string, number> = {};
let isPaused = false;
let isOver = false;
/** Both change while a client waits. */
const mustRest = (): boolean => isPaused && !isOver;
const hasEnded = (): boolean => isOver;
/** What each client does. */
const doing = new Map<string, string>();
/** The clients that rest until they are resumed. */
const parked = new Set<ChaosClient>();

function tell(message: FromWorker): void {
  if (process.connected) process.send?.(message);
}
const count = (what: string): void => void (tally[what] = (tally[what] ?? 0) + 1);

async function live(client: ChaosClient, sessions: readonly OpenSession[], { pauseMs }: WorkerPlan): Promise<void> {
  const { random } = client;
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    const from = Date.now();
    doing.set(client.plan.name, what);
    try {
      await work();
    } catch (error) {
      client.fail(what, error, from);
    } finally {
      doing.delete(client.plan.name);
    }
  };
  const park = async (): Promise<void> => {
    if (!mustRest()) return;
    await attempt("settle", () => client.settle());
    parked.add(client);
    while (mustRest()) await sleep(20);
    parked.delete(client);
  };
  // Not all at once.
  await client.rest([0, 2 * pauseMs[1]]);
  while (!hasEnded()) {
    await park();
    await attempt("connect", () => client.open());
    const most = random.between(...stepsPerConnection);
    for (let step = 0; step < most && client.isOpen && !hasEnded(); step++) {
      const { name, run } = choose(client);
      await attempt(name, () => run(client, sessions));
      await client.rest(pauseMs);
      await park();
    }
    if (hasEnded() && random.chance(abandonedShare)) await attempt("settle", () => client.settle());
    else await attempt("close", () => client.close());
    if (!hasEnded()) await sleep(awayMs);
  }
}

function choose(client: ChaosClient): Step {
  const suiting = steps.filter(({ suits }) => suits?.(client) ?? true);
  let at = client.random.next() * suiting.reduce((sum, { weight }) => sum + weight, 0);
  for (const step of suiting) if ((at -= step.weight) < 0) return step;
  return client.random.pick(suiting);
}

function flush(): void {
  if (Object.keys(tally).length > 0) tell({ type: "tally", tally });
  tally = {};
}

async function run(plan: WorkerPlan): Promise<void> {
  const flushing = setInterval(flush, 500);
  const clients = plan.clients.map(
    (one) =>
      new ChaosClient(one, plan.url, new Random(`${plan.seed} ${one.name}`), {
        count,
        onFailure: (failure) => tell({ type: "failure", failure }),
        onViolation: (violation) => tell({ type: "violation", violation }),
      }),
  );
  const sessions = clients.map(({ session }) => session);
  await Promise.all(clients.map((client) => live(client, sessions, plan)));
  clearInterval(flushing);
  flush();
  process.disconnect();
}

async function settle(clients: number): Promise<void> {
  const isIdle = await waitUntil(() => !isPaused || parked.size === clients, restMs, 50);
  if (!isIdle) process.stderr.write(`still busy: ${[...doing].map((one) => one.join(" ")).join("; ")}\n`);
  else if (isPaused) tell({ type: "idle" });
}

let clientCount = 0;
process.on("message", (message: ToWorker) => {
  if (message.type === "begin") {
    clientCount = message.plan.clients.length;
    void run(message.plan);
  } else if (message.type === "finish") isOver = true;
  else {
    isPaused = message.type === "pause";
    if (isPaused) void settle(clientCount);
  }
});
process.on("disconnect", () => process.exit());
