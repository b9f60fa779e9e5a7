import type { Simulation } from "./engine/simulation.js";
import { Node } from "./node.js";
import type { SharedStore } from "./shared-store.js";
import type { uris } from "./times.js";

export type NewNode = (simulation: Simulation, store: SharedStore, name: string) => Node;

/** A change that a server has published: of a resource, or of the list of tools. */
export type ChangeKind = (typeof uris)[number] | "tools";

/** The nodes of a simulation, behind something that sends each request to any of them. */
export class Cluster {
  readonly nodes: Node[] = [];
  /** When each change was published. */
  readonly published = new Map<ChangeKind, number[]>();
  /** How often nodes may have missed changes, which then count as changes of every list. */
  gaps = 0;
  #count = 0;

  constructor(
    readonly simulation: Simulation,
    readonly store: SharedStore,
    readonly newNode: NewNode = (...given) => new Node(...given),
  ) {}

  /** The nodes that should get requests. */
  get serving(): readonly Node[] {
    return this.nodes.filter(({ isAlive, isClosing }) => isAlive && !isClosing);
  }

  start(): void {
    this.nodes.push(this.newNode(this.simulation, this.store, `n${this.#count++}`));
  }

  /** The node that gets the next request: sometimes one that no longer serves any. */
  pick(): Node {
    const { random, isHealed } = this.simulation;
    const isLate = !isHealed && random.chance(0.05);
    return random.pick(isLate ? this.nodes.slice(-4) : this.serving);
  }

  kill(): void {
    this.#makeRoom();
    this.simulation.random.pick(this.serving).kill();
  }

  close(): void {
    this.#makeRoom();
    const { random } = this.simulation;
    void random.pick(this.serving).close(random.pick([0, 1_000, 5_000]));
  }

  interrupt(): void {
    const { random } = this.simulation;
    this.gaps++;
    random.pick(this.serving).backplane.interrupt(random.next() * random.pick([100, 5_000]));
  }

  publish(kind: ChangeKind): void {
    const { server, name } = this.simulation.random.pick(this.serving);
    this.simulation.note(`${name} publishes a change of ${kind}`);
    const times = this.published.get(kind) ?? [];
    this.published.set(kind, times);
    times.push(this.simulation.now);
    // Before its first client, a server does not change lists, but makes them.
    if (!server.server.node) throw new Error(`${name} has no backplane`);
    if (kind === "tools") server.sendToolListChanged();
    else server.sendResourceUpdated({ uri: kind });
  }

  /** How often a change was published so far. */
  countOf(kind: ChangeKind): number {
    return this.published.get(kind)?.length ?? 0;
  }

  /** At least one other node goes on. */
  #makeRoom(): void {
    if (this.serving.length < 2 || this.simulation.random.chance(0.5)) this.start();
  }
}
