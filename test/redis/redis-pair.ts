import { RedisServer } from "./redis-server.js";
import { Proxy } from "../soak/proxy.js";
import { sleep, waitUntil } from "../soak/wait.js";

/** Each write is on the disk before Redis responds to it. */
const durable = ["--appendonly", "yes", "--appendfsync", "always", "--repl-diskless-sync-delay", "0"];
const patienceMs = 20_000;

/** A Redis and its replica. The nodes connect through a relay, which passes their connections to the one that is the master. */
export class RedisPair {
  readonly #relay = new Proxy(() => (this.#isAway ? undefined : this.#master.port));
  #isAway = false;
  #master: RedisServer;
  #replica: RedisServer;
  #port = 0;

  private constructor(master: RedisServer, replica: RedisServer) {
    this.#master = master;
    this.#replica = replica;
  }

  static async start(): Promise<RedisPair> {
    const [master, replica] = await Promise.all([RedisServer.start(...durable), RedisServer.start(...durable)]);
    const pair = new RedisPair(master, replica);
    try {
      pair.#port = await pair.#relay.listen();
      await pair.#follow();
    } catch (error) {
      await pair.remove();
      throw error;
    }
    return pair;
  }

  /** The address for the nodes, which stays the same. */
  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Ends the master as a crash would, and starts it again with what it had on its disk. */
  async restart(downMs: number): Promise<void> {
    this.#isAway = true;
    await this.#master.kill();
    this.#relay.cut(false);
    await sleep(downMs);
    await this.#master.restart();
    this.#isAway = false;
    await this.#inSync();
  }

  /** Promotes the replica, although the master still serves: from now on, its writes are lost. */
  async beginLoss(): Promise<void> {
    await this.#inSync();
    await this.#replica.command("REPLICAOF", "NO", "ONE");
  }

  /** Ends the master as a crash would, and continues with the replica, which `beginLoss` has promoted. */
  async failOver(): Promise<void> {
    this.#isAway = true;
    const old = this.#master;
    await old.kill();
    this.#master = this.#replica;
    this.#relay.cut(false);
    this.#isAway = false;
    await old.remove();
    this.#replica = await RedisServer.start(...durable);
    await this.#follow();
  }

  /** Sends a command to the master. */
  command(...args: string[]): Promise<unknown> {
    return this.#master.command(...args);
  }

  async remove(): Promise<void> {
    this.#relay.close();
    await Promise.all([this.#master.remove(), this.#replica.remove()]);
  }

  async #follow(): Promise<void> {
    await this.#replica.command("REPLICAOF", "127.0.0.1", String(this.#master.port));
    await this.#inSync();
  }

  /** Waits until the replica has everything that the master has now. */
  async #inSync(): Promise<void> {
    const offset = await offsetOf(this.#master);
    const isInSync = async (): Promise<boolean> =>
      (await isLinked(this.#replica)) && (await offsetOf(this.#replica)) >= offset;
    if (!(await waitUntil(isInSync, patienceMs, 50))) throw new Error("the replica does not follow the master");
  }
}

async function isLinked(replica: RedisServer): Promise<boolean> {
  return String(await replica.command("INFO", "replication")).includes("master_link_status:up");
}

async function offsetOf(server: RedisServer): Promise<number> {
  return Number(/master_repl_offset:(\d+)/.exec(String(await server.command("INFO", "replication")))?.[1]);
}
