import { type Form } from "../http/forms.js";
import { HttpServerProcess } from "../http/server-process.js";
import type { Stage } from "../shared/stage.js";
import { Redis } from "./redis.js";
import { Relay } from "./relay.js";

/** Nodes of one server, each in its own process, with a Redis server of their own. */
export class Cluster {
  readonly nodes: HttpServerProcess[] = [];

  private constructor(
    readonly stage: Stage,
    readonly form: Form,
    /** Undefined for a server without a backplane. */
    readonly redis: Redis | undefined,
    /** Counts what the nodes send to Redis, if there is one. */
    readonly relay: Relay | undefined,
  ) {}

  /** @param redis whether the nodes have a backplane, and whether its commands are counted */
  static async start(stage: Stage, form: Form, count: number, redis: "none" | "used" | "counted"): Promise<Cluster> {
    const server = redis === "none" ? undefined : await Redis.start();
    const relay = server && redis === "counted" ? await Relay.start(server.server.port) : undefined;
    const cluster = new Cluster(stage, form, server, relay);
    try {
      for (let at = 0; at < count; at++) await cluster.add();
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  get ports(): readonly number[] {
    return this.nodes.map(({ port }) => port);
  }

  /** CPU milliseconds of all nodes. */
  get nodesMs(): number {
    return this.nodes.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  }

  /** CPU milliseconds of Redis. */
  get redisMs(): number {
    return this.redis?.cpuMs ?? 0;
  }

  /** Starts one more node. Returns its port. */
  async add(): Promise<number> {
    const url = this.relay?.url ?? this.redis?.server.url;
    const args = [this.form.kind, this.form.reply, ...(url === undefined ? [] : [url])];
    const node = await HttpServerProcess.start(this.stage.script("servers/node"), args);
    this.nodes.push(node);
    return node.port;
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
    this.relay?.close();
    await this.redis?.server.remove();
  }
}
