import type { HttpEndpoint } from "../../runtime/src/http-server/host-adapter.js";
import { handlerStats } from "../../runtime/src/operations/handler-stats.js";
import { serverStats } from "../../runtime/src/operations/server-stats.js";
import { McpServer } from "../../runtime/src/server.js";
import { createMcpHandler, type McpHttpHandler } from "../../runtime/src/server/http.js";
import type { Simulation } from "./engine/simulation.js";
import type { Exchange, Target } from "./network.js";
import { NodeBackplane } from "./node-backplane.js";
import type { SharedStore } from "./shared-store.js";
import { registerTools } from "./tools.js";
import { idleMs, uris, waitMs } from "./times.js";

const stateKeys = [{ id: "k", key: new Uint8Array(32).fill(7) }];

/** A node: a server with its HTTP endpoint. Its process can die. */
export class Node implements Target {
  readonly backplane: NodeBackplane;
  readonly server: McpServer;
  readonly handler: McpHttpHandler;
  readonly exchanges = new Set<Exchange>();
  /** Whether requests reach it. */
  isAlive = true;
  /** Whether it shuts down, or has shut down, in order. */
  isClosing = false;

  constructor(
    readonly simulation: Simulation,
    store: SharedStore,
    readonly name: string,
  ) {
    this.backplane = new NodeBackplane(simulation, store, name);
    this.server = new McpServer(
      { name: "simulated", version: "1.0.0" },
      {
        backplane: this.backplane,
        stateKeys,
        capabilities: { logging: {}, resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } },
        inputTimeoutMs: waitMs,
        stateTtlMs: waitMs,
        suspension: { ttlMs: waitMs },
        onerror: (error) => this.#report(error),
      },
    );
    registerTools(this.server, this);
    for (const uri of uris) this.server.registerResource(uri, uri, {}, () => ({ contents: [{ uri, text: "" }] }));
    this.handler = createMcpHandler(this.server, { sessions: { idleMs } });
    simulation.note(`${name} starts`);
  }

  get endpoint(): HttpEndpoint {
    return this.handler.endpoint;
  }

  /** The process dies: nothing of it reaches the outside any more. */
  kill(): void {
    this.simulation.note(`${this.name} dies`);
    this.#leave();
    this.backplane.isCut = true;
    for (const exchange of [...this.exchanges]) exchange.die();
    // What is left of it in this process ends, too.
    void this.handler.close(0);
    void this.server.close(0);
  }

  /** Shuts down as a rolling update does. */
  async close(graceMs: number): Promise<void> {
    this.simulation.note(`${this.name} shuts down`);
    this.isClosing = true;
    await this.handler.close(graceMs);
    await this.server.close(graceMs);
    this.simulation.note(`${this.name} has shut down`);
    this.#leave();
    for (const exchange of [...this.exchanges]) exchange.die();
  }

  /** What it still has, apart from what belongs to no client. */
  get remains(): string {
    const { sessions, legacySessions, streams, requestsInFlight, heldBytes } = handlerStats(this.handler);
    const { connections, suspendedCalls } = serverStats(this.server);
    const all = { sessions, legacySessions, streams, requestsInFlight, heldBytes, connections, suspendedCalls };
    return Object.entries(all)
      .filter(([, count]) => count !== 0)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ");
  }

  #leave(): void {
    this.isAlive = false;
  }

  #report(error: Error): void {
    if (this.isAlive) this.simulation.note(`${this.name} reports ${error.message}`);
  }
}
