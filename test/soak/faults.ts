import { readFileSync } from "node:fs";
import { folderPrefix } from "./bundles.js";
import type { Fault, EventLog, Scope } from "./event-log.js";
import type { Proxy } from "./proxy.js";
import type { Random } from "./random.js";
import type { Server, SoakProcesses } from "./soak-processes.js";
import { sleep } from "./wait.js";

interface FaultKind {
  readonly name: string;
  /** Whether the fault must not cause failures. */
  readonly isHarmless?: true;
  /** Returns the affected processes and a function that injects the fault; undefined if no process is suitable now. */
  readonly prepare: (
    stage: SoakProcesses,
    random: Random,
  ) => { scope: Scope; inject: () => void | Promise<void> } | undefined;
}

const hour = 3_600_000;

const onServer = (
  name: string,
  inject: (server: Server, random: Random, stage: SoakProcesses) => Promise<void>,
  options: { readonly isHarmless?: true; readonly only?: string } = {},
): FaultKind => ({
  name,
  ...(options.isHarmless && { isHarmless: true }),
  prepare(stage, random) {
    const server = random.pick(stage.servers.filter((one) => one.name === (options.only ?? one.name)));
    return { scope: { server: server.name }, inject: () => inject(server, random, stage) };
  },
});

const onSockets = (
  name: string,
  inject: (proxy: Proxy, random: Random) => Promise<void>,
  options: { readonly isHarmless?: true } = {},
): FaultKind => ({
  name,
  ...options,
  prepare(stage, random) {
    const [client, proxy] = random.pick([...stage.proxies]);
    return { scope: { client }, inject: () => inject(proxy, random) };
  },
});

export const faultKinds: readonly FaultKind[] = [
  // The other server is never killed: its memory at the end is compared with its memory at the start.
  onServer("server killed", (server, random, stage) => stage.restartServer(server, random.between(0, 1_000)), {
    only: "alpha",
  }),
  onServer(
    "server suspended",
    async ({ child }, random) => {
      child.process.kill("SIGSTOP");
      await sleep(random.between(100, 1_500));
      child.process.kill("SIGCONT");
    },
    { isHarmless: true },
  ),
  onServer("clock jump", async ({ child }, random) => {
    child.send({ type: "jump", monotonicMs: random.pick([0, hour]), dateMs: random.pick([-hour, hour, 24 * hour]) });
    await sleep(500);
  }),
  onServer("store full", async ({ child }, random) => {
    child.send({ type: "store", full: true });
    await sleep(random.between(200, 1_500));
    child.send({ type: "store", full: false });
  }),
  onServer("descriptors exhausted", async ({ child }, random) => {
    child.send({ type: "descriptors", exhausted: true });
    await sleep(random.between(200, 1_500));
    child.send({ type: "descriptors", exhausted: false });
  }),
  {
    name: "client killed",
    prepare(stage, random) {
      const worker = random.pick(stage.workers);
      // Its unsent reports are lost.
      return { scope: { client: worker.name }, inject: () => stage.restartWorker(worker) };
    },
  },
  {
    name: "stdio server killed",
    prepare(stage, random) {
      if (stage.stdioServers.size === 0) return undefined;
      const [client, pid] = random.pick([...stage.stdioServers]);
      stage.stdioServers.delete(client);
      return { scope: { client }, inject: () => signal(pid, "SIGKILL") };
    },
  },
  {
    name: "stdio server suspended",
    isHarmless: true,
    prepare(stage, random) {
      if (stage.stdioServers.size === 0) return undefined;
      const [client, pid] = random.pick([...stage.stdioServers]);
      return {
        scope: { client },
        async inject() {
          signal(pid, "SIGSTOP");
          await sleep(random.between(100, 1_000));
          signal(pid, "SIGCONT");
        },
      };
    },
  },
  onSockets(
    "sockets stalled",
    async (proxy, random) => {
      const release = proxy.stall();
      await sleep(random.between(100, 3_000));
      release();
    },
    { isHarmless: true },
  ),
  onSockets("sockets cut", (proxy, random) => {
    proxy.cut(random.chance(0.5));
    return Promise.resolve();
  }),
  onSockets("connections refused", async (proxy, random) => {
    proxy.refuses = true;
    proxy.cut(true);
    await sleep(random.between(100, 1_000));
    proxy.refuses = false;
  }),
  onSockets(
    "sockets slow",
    async (proxy, random) => {
      proxy.delayMs = random.between(20, 200);
      await sleep(random.between(500, 3_000));
      proxy.delayMs = 0;
    },
    { isHarmless: true },
  ),
  onSockets(
    "single bytes",
    async (proxy, random) => {
      proxy.trickles = true;
      await sleep(random.between(500, 2_000));
      proxy.trickles = false;
    },
    { isHarmless: true },
  ),
];

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    // The id can belong to another process by now.
    const isOurs = process.platform !== "linux" || readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folderPrefix);
    if (isOurs) process.kill(pid, name);
  } catch {
    // The process has already ended.
  }
}

/** Injects one fault after the other, all kinds equally often, until `isOver` returns true. */
export async function injectFaults(
  stage: SoakProcesses,
  ledger: EventLog,
  random: Random,
  everyMs: number,
  isOver: () => boolean,
): Promise<void> {
  let next: FaultKind[] = [];
  while (!isOver()) {
    const began = Date.now();
    if (next.length === 0) next = random.shuffled(faultKinds);
    const kind = next.pop();
    const prepared = kind?.prepare(stage, random);
    if (kind && prepared) {
      const { scope, inject } = prepared;
      const fault: Fault = { kind: kind.name, scope, isHarmless: kind.isHarmless ?? false, from: began, to: Infinity };
      ledger.faults.push(fault);
      await inject();
      fault.to = Date.now();
    }
    stage.checkOrphans(10_000);
    while (!isOver() && Date.now() < began + everyMs) await sleep(50);
  }
}
