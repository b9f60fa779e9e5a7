import { ServerChild, WorkerChild } from "./children.js";
import type { EventLog } from "./event-log.js";
import type { ClientPlan, Failure, FromWorker, Intensity } from "./messages.js";
import { Proxy } from "./proxy.js";
import { sleep, waitUntil } from "./wait.js";

/** The programs of the child processes. */
export const sources = {
  httpServer: "http-server.ts",
  stdioServer: "stdio-server.ts",
  worker: "worker.ts",
  hostileStdio: "../hostile/serve.ts",
  attacked: "attacks/target.ts",
} as const;

type Programs = Readonly<Record<keyof typeof sources, string>>;

/** A server process, and the proxy whose address stays the same when the process is replaced. */
export interface Server {
  readonly name: string;
  child: ServerChild;
  readonly hostile: Proxy;
  hostilePort: number;
}

export interface Worker {
  readonly name: string;
  readonly clients: readonly ClientPlan[];
  readonly hostile: { readonly server: string; readonly port: number };
  child: WorkerChild;
  incarnation: number;
  isIdle: boolean;
  heapBytes: number | undefined;
}

/** All processes of a run. */
export class SoakProcesses {
  readonly servers: Server[] = [];
  readonly workers: Worker[] = [];
  /** The proxies, by client. */
  readonly proxies = new Map<string, Proxy>();
  /** The processes of servers on stdio, by client. */
  readonly stdioServers = new Map<string, number>();
  /** Process ids of servers on stdio whose client was killed and which must exit, with the time of the kill. */
  readonly orphans = new Map<number, number>();

  constructor(
    readonly programs: Programs,
    readonly ledger: EventLog,
    readonly seed: string,
    readonly intensity: Intensity,
    readonly onfailure: (failure: Failure) => void,
  ) {}

  async begin(): Promise<void> {
    for (const name of ["alpha", "beta"]) {
      const server: Server = {
        name,
        child: this.#serverChild(name),
        hostile: new Proxy(() => server.child.ports?.hostilePort),
        hostilePort: 0,
      };
      server.hostilePort = await server.hostile.listen();
      await server.child.ready();
      this.servers.push(server);
    }
    const { workers, clientsPerWorker } = this.intensity;
    for (let at = 0; at < workers; at++) {
      const clients: ClientPlan[] = [];
      for (let number = 0; number < clientsPerWorker; number++) {
        const server = this.servers[number % this.servers.length];
        if (!server) break;
        const proxy = new Proxy(() => server.child.ports?.port);
        const name = `c${at}-${number}`;
        this.proxies.set(name, proxy);
        clients.push({ name, server: server.name, url: `http://127.0.0.1:${await proxy.listen()}/mcp` });
      }
      const { name = "", hostilePort = 0 } = this.servers[at % this.servers.length] ?? {};
      this.#begin(`worker ${at}`, clients, { server: name, port: hostilePort });
    }
  }

  #serverChild(name: string): ServerChild {
    return new ServerChild(name, this.programs.httpServer, (how) => this.ledger.violations.push(how));
  }

  /** Kills the process with SIGKILL and starts a new one. */
  async restartServer(server: Server, downMs: number): Promise<void> {
    await server.child.kill();
    await sleep(downMs);
    server.child = this.#serverChild(server.name);
    await server.child.ready();
  }

  #begin(name: string, clients: readonly ClientPlan[], hostile: Worker["hostile"]): void {
    const worker: Worker = {
      name,
      clients,
      hostile,
      incarnation: 0,
      isIdle: false,
      heapBytes: undefined,
      child: this.#workerChild(() => worker, name),
    };
    this.workers.push(worker);
    this.#start(worker);
  }

  #start({ child, incarnation, clients, hostile }: Worker): void {
    const { seed, intensity, programs } = this;
    const { pauseMs } = intensity;
    const { stdioServer } = programs;
    child.send({ type: "begin", plan: { seed, incarnation, clients, pauseMs, stdioServer, hostile } });
  }

  #workerChild(worker: () => Worker, name: string): WorkerChild {
    const { worker: program, hostileStdio } = this.programs;
    const died = (how: string): void => void this.ledger.violations.push(how);
    return new WorkerChild(name, program, hostileStdio, (message) => this.#told(worker(), message), died);
  }

  /** Kills the process with SIGKILL and starts a new one with the same clients. */
  async restartWorker(worker: Worker): Promise<void> {
    const names = [...worker.clients.map(({ name }) => name), `hostile of ${worker.clients[0]?.name ?? ""}`];
    await worker.child.kill();
    for (const name of names) {
      const pid = this.stdioServers.get(name);
      if (pid !== undefined) this.orphans.set(pid, Date.now());
      this.stdioServers.delete(name);
    }
    worker.incarnation++;
    worker.child = this.#workerChild(() => worker, worker.name);
    this.#start(worker);
  }

  #told(worker: Worker, message: FromWorker): void {
    switch (message.type) {
      case "tally":
        return this.ledger.add(message.done);
      case "failure":
        this.ledger.failures.push(message.failure);
        return this.onfailure(message.failure);
      case "stdio-server":
        if (message.running) this.stdioServers.set(message.client, message.pid);
        else if (this.stdioServers.get(message.client) === message.pid) this.stdioServers.delete(message.client);
        return;
      case "idle":
        worker.isIdle = true;
        return;
      case "finished":
        worker.heapBytes = message.heapBytes;
    }
  }

  /** Checks that servers on stdio exit after their client has ended, also after it was killed. */
  checkOrphans(patienceMs: number): void {
    for (const [pid, since] of this.orphans) {
      const lives = isRunning(pid);
      if (lives && Date.now() - since < patienceMs) continue;
      this.orphans.delete(pid);
      if (lives) this.ledger.violations.push(`a stdio server (${pid}) outlived its client by ${patienceMs} ms`);
    }
  }

  /** Stops all clients from sending until `resume`. */
  async pause(): Promise<void> {
    for (const worker of this.workers) {
      worker.isIdle = false;
      worker.child.send({ type: "pause" });
    }
    if (!(await waitUntil(() => this.workers.every(({ isIdle }) => isIdle), 40_000)))
      this.ledger.violations.push("the clients did not become idle");
  }

  resume(): void {
    for (const { child } of this.workers) child.send({ type: "resume" });
  }

  async finishWorkers(): Promise<void> {
    for (const { child } of this.workers) {
      child.letGo();
      child.send({ type: "finish" });
    }
    for (const { child } of this.workers) {
      const problem = await child.end();
      if (problem) this.ledger.violations.push(problem);
    }
  }

  /** Kills all processes that still run. */
  async kill(): Promise<void> {
    for (const { child } of [...this.workers, ...this.servers]) await child.kill();
    for (const proxy of [...this.proxies.values(), ...this.servers.map(({ hostile }) => hostile)]) proxy.close();
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
