/** Runs many clients against a gateway whose servers fail: npm run soak:gateway -- --minutes N --seed S --clients C */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { bundlePrograms } from "../bundles.js";
import { Random } from "../random.js";
import { aligned } from "../summary.js";
import { waitUntil } from "../wait.js";
import { GatewayClient, type Target } from "./gateway-client.js";
import { type GatewayPlan, type GatewayState, upstreamNames, upstreams } from "./messages.js";
import { ended, LastingServer, processesWith, startListening } from "./processes.js";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    clients: { type: "string", default: "12" },
  },
});
const { seed } = values;
const [minutes, clientCount] = [Number(values.minutes), Number(values.clients)];
if (!(minutes > 0 && minutes <= 24 * 60 && clientCount >= 4 && clientCount <= 100)) {
  process.stderr.write("usage: npm run soak:gateway -- [--minutes N] [--seed S] [--clients 4…100]\n");
  process.exit(2);
}
/** The heap may grow by this between the second and the last measurement. */
const most = { factor: 1.1, bytes: 2_000_000 };
/** Processes of servers, and sockets to clients and servers. */
const busy = ["ProcessWrap", "TCPSocketWrap"];
/** After each cycle, all clients leave, and what the gateway still keeps is measured. */
const cycleMs = Math.min(60_000, (minutes * 60_000) / 4);

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const began = Date.now();
const phase = (text: string): void => say(`${((Date.now() - began) / 1_000).toFixed(1)} s: ${text}`);
const violations: string[] = [];
const wrong = (what: string): void => {
  violations.push(what);
  if (violations.length <= 50) phase(`VIOLATION: ${what}`);
};
const counts = new Map<string, number>();
const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);

const { programs, remove } = await bundlePrograms(import.meta.dirname, {
  stdioUpstream: "stdio-upstream.ts",
  httpUpstream: "http-upstream.ts",
  gateway: "gateway-process.ts",
});
const servers = new Map<string, LastingServer>();
for (const name of upstreamNames) {
  const { transport, revision } = upstreams[name];
  if (transport === "http")
    servers.set(name, await LastingServer.start(programs.httpUpstream, ...(revision === undefined ? [] : [revision])));
}
const plan = (transport: GatewayPlan["transport"]): string => {
  const ports = Object.fromEntries([...servers].map(([name, { port }]) => [name, port]));
  return JSON.stringify({ stdioUpstream: programs.stdioUpstream, ports, transport } satisfies GatewayPlan);
};

async function stateOf(gateway: ChildProcess): Promise<GatewayState> {
  gateway.send("state");
  const [state] = (await once(gateway, "message", { signal: AbortSignal.timeout(30_000) })) as [GatewayState];
  return state;
}

/** Kills and suspends servers; commands crash by a call, because the gateway has started them. */
async function injectFaults(random: Random, client: GatewayClient, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await new Promise((resolve) => setTimeout(resolve, random.between(500, 4_000)));
    const name = random.pick(upstreamNames);
    const server = servers.get(name);
    const kind = server ? random.pick(["killed", "suspended", "crashed"]) : "crashed";
    count(`done fault: ${name} ${kind}`);
    if (kind === "killed") server?.kill();
    else if (kind === "suspended") await server?.suspend(random.between(100, 5_000));
    else await client.attempt("fault: crash", () => client.call(name, "crash", random.between(0, 20)));
  }
}

/** One cycle: faults, then a check that everything works again, then everyone leaves. */
async function cycle(number: number, gateway: ChildProcess, url: string): Promise<GatewayState> {
  const stdio: Target = { command: [process.execPath, programs.gateway, plan("stdio")] };
  const clients = Array.from({ length: clientCount }, (_, at) => {
    const name = `client-${number}-${at}`;
    // Half of the clients have a gateway of their own over stdio, also one of each era.
    const target = at % 4 >= 2 ? stdio : { url };
    return new GatewayClient(
      name,
      at % 2 ? "stateless" : "handshake",
      target,
      new Random(`${seed} ${name}`),
      wrong,
      count,
    );
  });
  await Promise.all(clients.map((client) => client.open()));
  const [faulty] = clients;
  const until = Date.now() + cycleMs;
  const isOver = (): boolean => Date.now() > until;
  phase(`cycle ${number}: faults`);
  await Promise.all([
    ...clients.map((client) => client.live(isOver)),
    ...(faulty ? [injectFaults(new Random(`${seed} faults ${number}`), faulty, isOver)] : []),
  ]);
  phase(`cycle ${number}: everything works again`);
  for (const name of upstreamNames) await Promise.all(clients.map((client) => client.checkAll(name)));
  phase(`cycle ${number}: everyone leaves`);
  await Promise.all(clients.map((client) => client.close()));
  let state = await stateOf(gateway);
  const isAtRest = async (): Promise<boolean> => {
    state = await stateOf(gateway);
    return state.clients === 0 && state.connections === 0 && !busy.some((name) => name in state.resources);
  };
  if (!(await waitUntil(isAtRest, 40_000, 1_000)))
    wrong(
      `${state.clients} clients, ${state.connections} connections to servers left: ${JSON.stringify(state.resources)}`,
    );
  const { heapBytes, resources } = state;
  phase(`cycle ${number}: heap ${(heapBytes / 1e6).toFixed(2)} MB, ${JSON.stringify(resources)}`);
  return state;
}

const states: GatewayState[] = [];
let gateway: ChildProcess | undefined;
say(`soak of the gateway: ${minutes} minutes, seed ${seed}, ${clientCount} clients`);
try {
  const { child, port } = await startListening(["--expose-gc", programs.gateway, plan("http")]);
  gateway = child;
  child.once("exit", (code, signal) => {
    if (gateway) wrong(`the gateway died: ${signal ?? `exit code ${code}`}`);
  });
  for (let number = 1; Date.now() - began < minutes * 60_000 || number <= 3; number++)
    states.push(await cycle(number, child, `http://127.0.0.1:${port}/mcp`));
  gateway = undefined;
  child.send("close");
  if (!(await waitUntil(() => child.exitCode !== null, 20_000))) {
    wrong("the gateway does not exit after it was closed");
    child.kill("SIGKILL");
    await ended(child);
  }
} catch (error) {
  wrong(`the run failed: ${(error as Error).stack ?? String(error)}`);
} finally {
  const child = gateway;
  gateway = undefined;
  child?.kill("SIGKILL");
  await Promise.all([...servers.values()].map((server) => server.close()));
}
const folder = dirname(programs.gateway);
if (!(await waitUntil(() => processesWith(folder).length === 0, 15_000)))
  wrong(`processes are left: ${processesWith(folder).join("; ")}`);
remove();

const [, second = states[0], ...later] = states;
const last = later.at(-1);
if (second && last) {
  if (last.heapBytes > second.heapBytes * most.factor + most.bytes)
    wrong(`the heap has grown from ${second.heapBytes} to ${last.heapBytes} bytes`);
  for (const [name, now] of Object.entries(last.resources))
    if (now > (second.resources[name] ?? 0)) wrong(`${name}: ${second.resources[name] ?? 0} before, ${now} in the end`);
}
for (const alarm of new Set(states.flatMap(({ alarms }) => alarms))) wrong(alarm);

const isError = (what: string): boolean => what.startsWith("error ");
const steps = [...counts].filter(([what]) => !isError(what));
const names = [...new Set(steps.map(([what]) => what.slice(what.indexOf(" ") + 1)))].sort();
const of = (outcome: string, name: string): number => counts.get(`${outcome} ${name}`) ?? 0;
say(
  `\n${aligned([["step", "done", "failed"], ...names.map((name) => [name, String(of("done", name)), String(of("failed", name))])])}`,
);
const heaps = states.map(({ heapBytes }) => (heapBytes / 1e6).toFixed(2)).join(", ");
const errors = [...counts].filter(([what]) => isError(what)).sort();
say(`\n${aligned([["error", "times"], ...errors.map(([what, times]) => [what.slice(6), String(times)])])}`);
const stepCount = steps.reduce((sum, [, times]) => sum + times, 0);
say(`\nheap after each cycle, MB: ${heaps}`);
say(
  `${violations.length === 0 ? "PASSED" : "FAILED"}: ${stepCount} steps, ${violations.length} violations; seed ${seed}`,
);
process.exitCode = violations.length === 0 ? 0 : 1;
