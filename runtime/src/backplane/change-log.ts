import type { Change } from "../connection/change.js";
import type { Channels, LogEntry, LogStore } from "./backplane-store.js";
import { NodeLog, type NodeMessage } from "./node-log.js";
import { parseObject } from "./parse-object.js";

/**
 * Changes are kept so long for nodes whose connection to the backplane is interrupted. The first one after that time looks like a gap.
 */
const bounds = { ttlMs: 86_400_000, maxEntries: 10_000 };
const pageSize = 1_000;
const kinds = ["tools", "prompts", "resources"] as const;

/** A change. */
export interface LoggedChange {
  /** The id of its entry; empty when changes were lost, so that everything may have changed. */
  readonly id: string;
  readonly change: Change;
}

/** The changes of lists and resources of all nodes of a server, in one order. */
export class ChangeLog {
  readonly #log: NodeLog;

  /**
   * @param node the id of this node
   * @param onChange called with each change, also those of this node
   * @param onSubscription called when the client of a session has changed at another node what it wants to know about
   */
  constructor(
    readonly store: LogStore & Channels,
    name: string,
    readonly node: string,
    onChange: (logged: LoggedChange, isOwn: boolean) => void,
    onSubscription: (sessionId: string) => void,
    onerror: (error: unknown) => void,
  ) {
    this.#log = new NodeLog(store, `changes:${name}`, bounds, {
      onMessage: (message, id) => {
        const { session } = message;
        const isOwn = message["node"] === node;
        const change = toChange(message);
        if (change) onChange({ id, change }, isOwn);
        else if (typeof session === "string" && !isOwn) onSubscription(session);
      },
      // Each list may have changed.
      onGap: () => {
        for (const kind of kinds) onChange({ id: "", change: { kind } }, false);
      },
      onerror,
    });
  }

  /** The id of the newest change; undefined when there is none. @throws BackplaneError */
  position(): Promise<string | undefined> {
    return this.#log.position();
  }

  /** @throws BackplaneError */
  publish(change: Change): Promise<void> {
    return this.#log.send({ ...change, node: this.node });
  }

  /** Lets other nodes read a session again before later changes. @throws BackplaneError */
  publishSubscription(session: string): Promise<void> {
    return this.#log.send({ session, node: this.node });
  }

  /**
   * Reads the changes after one; of equal ones, the last.
   * @param after undefined: from the oldest one
   * @throws BackplaneError
   */
  async readSince(after: string | undefined): Promise<LoggedChange[]> {
    const found = new Map<string, LoggedChange>();
    for (let from = after; ;) {
      const { entries, hasGap } = await this.store.read(this.#log.name, { after: from, limit: pageSize });
      if (hasGap) for (const kind of kinds) found.set(`${kind} `, { id: "", change: { kind } });
      for (const entry of entries) add(found, entry);
      from = entries.at(-1)?.id;
      if (entries.length < pageSize) return [...found.values()];
    }
  }

  end(): void {
    this.#log.end();
  }
}

/** Adds a change, and removes an equal one before it. */
function add(found: Map<string, LoggedChange>, { id, text }: LogEntry): void {
  const change = toChange(parseObject(text) ?? {});
  if (!change) return;
  const key = `${change.kind} ${change.uri ?? ""}`;
  found.delete(key);
  found.set(key, { id, change });
}

/** Returns undefined for what is not a change. Nodes of another version may write other kinds and members. */
function toChange({ kind, uri }: NodeMessage): Change | undefined {
  const known = kinds.find((one) => one === kind);
  return known && { kind: known, ...(typeof uri === "string" && { uri }) };
}
