/** Starts real Redis Clusters for tests: several masters, each with a part of the slots. */
import { vi } from "vitest";
import { freePort } from "../../scripts/free-port.js";
import { RedisServer } from "./redis-server.js";

/** The slots of the masters: the first and the last of each. */
const slots = [
  ["0", "5460"],
  ["5461", "10922"],
  ["10923", "16383"],
] as const;

const patience = { timeout: 20_000, interval: 100 };

export class RedisCluster {
  /** With the replicas. */
  readonly #servers: RedisServer[];

  /** @param masters those that the cluster began with */
  private constructor(readonly masters: readonly [RedisServer, RedisServer, RedisServer]) {
    this.#servers = [...masters];
  }

  static async start(): Promise<RedisCluster> {
    const [first, second, third] = await Promise.all([startMaster(), startMaster(), startMaster()]);
    const masters = [first.server, second.server, third.server] as const;
    for (const [at, server] of masters.entries()) {
      await server.command("CLUSTER", "SET-CONFIG-EPOCH", String(at + 1));
      await server.command("CLUSTER", "ADDSLOTSRANGE", ...(slots[at] ?? []));
    }
    for (const { server, busPort } of [second, third])
      await first.server.command("CLUSTER", "MEET", "127.0.0.1", String(server.port), busPort);
    const cluster = new RedisCluster(masters);
    await cluster.whenReady();
    return cluster;
  }

  /** The URL of one of the masters, from which clients learn of the others. */
  get url(): string {
    return this.masters[0].url;
  }

  /** Waits until every master knows all slots and all masters. */
  async whenReady(): Promise<void> {
    await vi.waitFor(async () => {
      for (const server of this.masters) {
        const info = String(await server.command("CLUSTER", "INFO"));
        if (!info.includes("cluster_state:ok") || !info.includes("cluster_size:3")) throw new Error(info);
      }
    }, patience);
  }

  /** Moves the slot of a key, with its keys, to another master. */
  async moveSlotOf(key: string): Promise<void> {
    const { slot, master: from, others } = await this.#find(key);
    const [to = from] = others;
    const [fromId, toId] = [await idOf(from), await idOf(to)];
    await to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", fromId);
    await from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
    for (;;) {
      const keys = (await from.command("CLUSTER", "GETKEYSINSLOT", slot, "100")) as string[];
      if (keys.length === 0) break;
      await from.command("MIGRATE", "127.0.0.1", String(to.port), "", "0", "5000", "KEYS", ...keys);
    }
    for (const one of [...others, from]) await one.command("CLUSTER", "SETSLOT", slot, "NODE", toId);
  }

  /** Adds a replica of the master that has a key, and lets it become the master. */
  async failOver(key: string): Promise<void> {
    const { master, others } = await this.#find(key);
    const { server: replica, busPort } = await startMaster();
    this.#servers.push(replica);
    await master.command("CLUSTER", "MEET", "127.0.0.1", String(replica.port), busPort);
    const masterId = await idOf(master);
    await vi.waitFor(() => replica.command("CLUSTER", "REPLICATE", masterId), patience);
    await until(replica, "master_link_status:up", "INFO", "replication");
    // The others vote for it.
    const replicaId = await idOf(replica);
    for (const one of [master, ...others]) await until(one, replicaId, "CLUSTER", "REPLICAS", masterId);
    // It knows the others, so that it accepts commands and passes on published messages from its first moment as a master.
    await until(replica, "cluster_state:ok", "CLUSTER", "INFO");
    for (const one of [master, ...others]) await untilConnected(replica, await idOf(one));
    for (const one of [master, ...others]) await untilConnected(one, replicaId);
    await replica.command("CLUSTER", "FAILOVER");
    await until(replica, "role:master", "INFO", "replication");
  }

  async remove(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.remove()));
  }

  /** Finds the slot of a key, and its master among all. */
  async #find(key: string) {
    const slot = String(await this.masters[0].command("CLUSTER", "KEYSLOT", key));
    const ranges = (await this.masters[0].command("CLUSTER", "SLOTS")) as [number, number, [string, number]][];
    const ports = ranges
      .filter(([first, last]) => first <= Number(slot) && Number(slot) <= last)
      .map(([, , to]) => to[1]);
    const masters = this.#servers.filter((server) => ranges.some(([, , [, port]]) => port === server.port));
    const master = masters.find(({ port }) => port === ports[0]);
    if (!master) throw new Error(`no master has slot ${slot}`);
    return { slot, master, others: masters.filter((one) => one !== master) };
  }
}

async function idOf(server: RedisServer): Promise<string> {
  return String(await server.command("CLUSTER", "MYID"));
}

/** Starts a server that belongs to no cluster yet. */
async function startMaster(): Promise<{ readonly server: RedisServer; readonly busPort: string }> {
  // By default, the port for other nodes of a cluster is 10,000 higher, where an outgoing connection may have it.
  const busPort = String(await freePort());
  const options = ["--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1", "--cluster-port", busPort];
  return { server: await RedisServer.start(...options, "--repl-diskless-sync-delay", "0"), busPort };
}

/** Waits until a server has a connection to the server with an id. */
async function untilConnected(server: RedisServer, id: string): Promise<void> {
  await vi.waitFor(async () => {
    const nodes = String(await server.command("CLUSTER", "NODES"));
    const line = nodes.split("\n").find((one) => one.startsWith(id));
    if (!line?.includes(" connected")) throw new Error(nodes);
  }, patience);
}

/** Waits for a text in the reply to a command. */
async function until(server: RedisServer, text: string, ...command: string[]): Promise<void> {
  await vi.waitFor(async () => {
    const reply = String(await server.command(...command));
    if (!reply.includes(text)) throw new Error(reply);
  }, patience);
}
