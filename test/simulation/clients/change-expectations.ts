import type { ChangeKind, Cluster } from "../cluster.js";

interface Wanted {
  /** How often the change had been published when the client first asked for it. */
  readonly publishedBefore: number;
  /** How many of them may still arrive, because a node had not read them, or the stream of a session is opened after them. */
  readonly late: number;
  /** Since when the server must send the change; undefined: it need not. */
  since: number | undefined;
  received: number;
  lastAt: number;
}

/** The changes that one client wants to know about, and those that have arrived. */
export class ChangeExpectations {
  readonly #wanted = new Map<ChangeKind, Wanted>();

  constructor(
    readonly cluster: Cluster,
    /** The name of the client or stream. */
    readonly subject: string,
    /** Whether a stream begins with the changes that no stream has got, those that are equal once. */
    readonly keepsChanges: boolean,
  ) {}

  /** The client asks for a change: from now on, it may arrive. */
  ask(kind: ChangeKind): void {
    if (this.#wanted.has(kind)) return;
    const { quietAt } = this.cluster.store;
    const before = this.cluster.published.get(kind) ?? [];
    const unread = before.filter((at) => at >= quietAt).length;
    const late = unread + (this.keepsChanges && unread < before.length ? 1 : 0);
    this.#wanted.set(kind, { publishedBefore: before.length, late, since: undefined, received: 0, lastAt: -1 });
  }

  /** The server has confirmed it: from now on, it must arrive. */
  confirm(kind: ChangeKind): void {
    const wanted = this.#wanted.get(kind);
    if (wanted) wanted.since ??= this.cluster.simulation.now;
  }

  /** From now on, it need not arrive. */
  release(kind: ChangeKind): void {
    const wanted = this.#wanted.get(kind);
    if (wanted) wanted.since = undefined;
  }

  onChange(kind: ChangeKind): void {
    const { simulation } = this.cluster;
    const wanted = this.#wanted.get(kind);
    if (!wanted) return simulation.violate(`${this.subject} gets changes of ${kind}, for which it has not asked`);
    wanted.received++;
    wanted.lastAt = simulation.now;
    // After a gap, each list counts as changed, at each node.
    const gaps = this.cluster.gaps * this.cluster.nodes.length;
    const most = this.cluster.countOf(kind) - wanted.publishedBefore + wanted.late + gaps;
    if (wanted.received > most && !simulation.conditions.failsCalls)
      simulation.violate(`${this.subject} gets ${wanted.received} changes of ${kind}, of which there were ${most}`);
  }

  /** Checks that the last change has arrived. */
  checkEnd(): void {
    const { simulation, published } = this.cluster;
    for (const [kind, { since, lastAt }] of this.#wanted) {
      const changedAt = published.get(kind)?.at(-1);
      if (since === undefined || changedAt === undefined || changedAt < since || lastAt >= changedAt) continue;
      simulation.violate(`${this.subject} has missed the change of ${kind} at ${changedAt.toFixed(1)} ms`);
    }
  }
}
