import { type ReverseProxy, startReverseProxy } from "../../scripts/reverse-proxy.js";
import { Child } from "../soak/children.js";
import { sleep, waitUntil } from "../soak/wait.js";
import type { FromNode, ToNode } from "./messages.js";

const patienceMs = 30_000;

export interface ClusterEvents {
  readonly onExecuted: (nonces: readonly string[]) => void;
  readonly onReport: (node: string, text: string) => void;
  /** Called when a node ends that was not killed. */
  readonly onDeath: (how: string) => void;
}

/** The process of a node. */
class NodeChild extends Child<FromNode, ToNode> {
  port: number | undefined;
  #onMeasured: ((bytes: number) => void)[] = [];

  constructor(name: string, args: readonly string[], events: ClusterEvents) {
    super(
      name,
      [process.execPath, "--expose-gc", ...args],
      (message) => {
        if (message.type === "ready") this.port = message.port;
        else if (message.type === "executed") events.onExecuted(message.nonces);
        else if (message.type === "report") events.onReport(name, message.text);
        else for (const take of this.#onMeasured.splice(0)) take(message.heapBytes);
      },
      events.onDeath,
    );
  }

  async ready(): Promise<void> {
    await waitUntil(() => this.port !== undefined || !this.isRunning, patienceMs, 10);
    if (this.port === undefined) throw new Error(`${this.name} does not start serving`);
  }

  async heapBytes(): Promise<number> {
    let bytes: number | undefined;
    this.#onMeasured.push((measured) => (bytes = measured));
    this.send({ type: "measure" });
    await waitUntil(() => bytes !== undefined, patienceMs);
    if (bytes === undefined) throw new Error(`${this.name} does not report its memory`);
    return bytes;
  }
}

/** Several nodes behind a proxy that passes each request to the next one that serves. The first node is never killed. */
export class Cluster {
  readonly #nodes: NodeChild[] = [];
  #proxy: ReverseProxy | undefined;
  #turn = 0;

  private constructor(
    /** The arguments of Node: the program of a node, and its own. */
    readonly args: readonly string[],
    readonly events: ClusterEvents,
  ) {}

  static async start(count: number, args: readonly string[], events: ClusterEvents): Promise<Cluster> {
    const cluster = new Cluster(args, events);
    try {
      for (let at = 0; at < count; at++) cluster.#nodes.push(cluster.#node(at));
      await Promise.all(cluster.#nodes.map((node) => node.ready()));
      cluster.#proxy = await startReverseProxy(() => cluster.#next());
    } catch (error) {
      await cluster.end();
      throw error;
    }
    return cluster;
  }

  get url(): string {
    return `${this.#proxy?.origin ?? ""}/mcp`;
  }

  get size(): number {
    return this.#nodes.length;
  }

  /** Ends a node with SIGKILL, and starts it again. */
  async restart(at: number, downMs: number): Promise<void> {
    await this.#nodes[at]?.kill();
    await sleep(downMs);
    const node = this.#node(at);
    this.#nodes[at] = node;
    await node.ready();
  }

  /** The heap of the node that lives as long as the cluster, after a garbage collection. */
  async heapBytes(): Promise<number> {
    const [oldest] = this.#nodes;
    if (!oldest) throw new Error("there is no node");
    return oldest.heapBytes();
  }

  async end(): Promise<void> {
    const proxy = this.#proxy;
    this.#proxy = undefined;
    await proxy?.end();
    await Promise.all(this.#nodes.map((node) => node.kill()));
  }

  #node(at: number): NodeChild {
    return new NodeChild(`node ${at}`, this.args, this.events);
  }

  #next(): { readonly url: string } | undefined {
    const ready = this.#nodes.filter(({ isRunning, port }) => isRunning && port !== undefined);
    const node = ready[this.#turn++ % ready.length];
    return node?.port === undefined ? undefined : { url: `http://127.0.0.1:${node.port}` };
  }
}
