import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpuMsOf } from "../shared/cpu.js";
import { callsOf, type Effort } from "../shared/effort.js";
import { processChain } from "../shared/process-chain.js";
import { inTurns, ratios, type Spread, spreadOf } from "../shared/rounds.js";
import type { Stage } from "../shared/stage.js";
import { Tally } from "../shared/tally.js";
import type { Revision } from "../shared/traffic.js";
import type { Order } from "../stdio/clients/driver.js";

/** A client, its server, and the gateway between them, if there is one: each in a process of its own, over stdio. */
export interface Chain {
  readonly name: string;
  readonly client: Revision;
  readonly server: Revision;
  readonly hasGateway: boolean;
}

/** CPU microseconds per call in each round. */
export interface Costs {
  readonly client: readonly number[];
  /** Of a chain without a gateway: 0. */
  readonly gateway: readonly number[];
  readonly server: readonly number[];
}

export type InFlight = 64 | 1;

/** Calls the tool through each chain, in turns. Returns the costs of each chain, in their order. */
export async function measureCalls(
  stage: Stage,
  chains: readonly Chain[],
  inFlight: InFlight,
  starts: number,
  { rounds, slices, sliceMs, warmUpMs }: Effort,
): Promise<readonly Costs[]> {
  const all = chains.map(() => [new Tally(), new Tally(), new Tally()] as const);
  for (let start = 0; start < starts; start++) {
    const running: RunningChain[] = [];
    try {
      for (const [at, chain] of chains.entries()) {
        const one = await RunningChain.start(stage, chain, inFlight);
        running.push(one);
        const tallies = all[at];
        if (tallies) one.tallies = tallies;
        await one.warmUp(warmUpMs, sliceMs);
      }
      await inTurns(running, rounds * slices, (one, turn) => one.sample(start * rounds + Math.floor(turn / slices)));
    } finally {
      for (const one of running) one.kill();
    }
  }
  return all.map(([client, gateway, server]) => ({ client: client.cpu, gateway: gateway.cpu, server: server.cpu }));
}

/** A sum of costs, per round. */
export function sumOf(...costs: readonly (readonly number[])[]): readonly number[] {
  return (costs[0] ?? []).map((_, round) => costs.reduce((sum, one) => sum + (one[round] ?? NaN), 0));
}

/** A call through the gateway relative to a direct call. */
export interface CallRatios {
  /** All processes of both. */
  readonly all: Spread;
  /** Without those of the clients. */
  readonly withoutClient: Spread;
}

export function callRatios(through: Costs, direct: Costs): CallRatios {
  return {
    all: ratios(sumOf(through.client, through.gateway, through.server), sumOf(direct.client, direct.server)),
    withoutClient: ratios(sumOf(through.gateway, through.server), direct.server),
  };
}

export function spreadsOf({ client, gateway, server }: Costs): Readonly<Record<keyof Costs | "sum", Spread>> {
  const sum = spreadOf(sumOf(client, gateway, server));
  return { client: spreadOf(client), gateway: spreadOf(gateway), server: spreadOf(server), sum };
}

type Tallies = readonly [client: Tally, gateway: Tally, server: Tally];

class RunningChain {
  #calls = 100;
  tallies: Tallies = [new Tally(), new Tally(), new Tally()];

  private constructor(
    readonly client: ChildProcess,
    /** Of the client, the gateway if there is one, and the server. */
    readonly pids: readonly number[],
    readonly inFlight: InFlight,
  ) {}

  static async start(stage: Stage, { client, server, hasGateway }: Chain, inFlight: InFlight): Promise<RunningChain> {
    const script = stage.script(`servers/${hasGateway ? "gateway" : "booking"}`);
    const child = fork(stage.script("clients/client"), [script, client, server]);
    try {
      await next(child);
      const pids = processChain(child.pid ?? NaN);
      const expected = hasGateway ? 3 : 2;
      if (pids.length !== expected) throw new Error(`expected ${expected} processes: ${pids.join()}`);
      return new RunningChain(child, pids, inFlight);
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    }
  }

  async warmUp(warmUpMs: number, sliceMs: number): Promise<void> {
    const least = 500;
    const start = this.#cpuMs();
    let made = 0;
    let used = 0;
    for (; used < warmUpMs * this.pids.length; made += least) {
      await this.#run(least);
      used = sum(this.#cpuMs()) - sum(start);
    }
    this.#calls = callsOf(sliceMs * this.pids.length, made, used);
  }

  async sample(round: number): Promise<void> {
    // Exclude the cost of cold processor caches.
    await this.#run(Math.ceil(this.#calls / 10));
    const before = this.#cpuMs();
    const begin = performance.now();
    await this.#run(this.#calls);
    const wallMs = performance.now() - begin;
    const used = this.#cpuMs().map((one, at) => one - (before[at] ?? NaN));
    const [client = NaN, ...others] = used;
    const [gateway, server] = others.length === 2 ? others : [0, ...others];
    for (const [at, cpuMs] of [client, gateway, server].entries())
      this.tallies[at]?.add(round, { calls: this.#calls, cpuMs: cpuMs ?? NaN, wallMs });
  }

  /** The processes behind it end when their standard input is closed. */
  kill(): void {
    this.client.kill("SIGKILL");
  }

  async #run(calls: number): Promise<void> {
    this.client.send({ calls, inFlight: this.inFlight } satisfies Order);
    await next(this.client);
  }

  #cpuMs(): readonly number[] {
    return this.pids.map(cpuMsOf);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

async function next(child: ChildProcess): Promise<void> {
  const ended = new AbortController();
  try {
    await Promise.race([
      once(child, "message", ended),
      once(child, "exit", ended).then(([code]) => {
        throw new Error(`${child.spawnargs.join(" ")} exited with ${String(code)}`);
      }),
    ]);
  } finally {
    ended.abort();
  }
}
