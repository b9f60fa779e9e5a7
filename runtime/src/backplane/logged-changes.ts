import type { Change } from "../connection/change.js";
import type { ChangingServer, SharedChanges } from "../http-server/server-backplane.js";
import { isObject } from "../jsonrpc/guards.js";
import { unref } from "../timing/timer-delay.js";
import type { Channels, LogEntry, LogStore } from "./backplane-store.js";
import { followLog, type LogFollower } from "./follow-log.js";

/** Changes are kept so long for nodes whose connection to the backplane is interrupted. The first one after that time looks like a gap. */
const bounds = { ttlMs: 86_400_000, maxEntries: 10_000 };

/** The pauses between attempts to follow the log, in milliseconds: the first, and the longest. */
const [firstPauseMs, longestPauseMs] = [100, 10_000];

/** Shares the changes of a server through a log, which the servers of the same name at all nodes follow. */
export class LoggedChanges implements SharedChanges, LogFollower {
  readonly #log: string;
  /** Identifies the changes of this server. */
  readonly #node = crypto.randomUUID();
  #hasEnded = false;
  #stop: (() => void) | undefined;

  constructor(
    readonly store: LogStore & Channels,
    readonly server: ChangingServer,
  ) {
    this.#log = `changes:${server.name}`;
    void this.#follow(firstPauseMs);
  }

  publish(change: Change): void {
    void this.#append(JSON.stringify({ ...change, node: this.#node }));
  }

  end(): void {
    this.#hasEnded = true;
    this.#stop?.();
  }

  /** @internal */
  onEntry({ text }: LogEntry): void {
    const change: unknown = JSON.parse(text);
    if (isObject(change) && change["node"] !== this.#node) this.server.deliver(toChange(change));
  }

  /** Changes are missing, so that each list may have changed. @internal */
  onGap(): void {
    for (const kind of ["tools", "prompts", "resources"] as const) this.server.deliver({ kind });
  }

  /** @internal */
  onError(error: Error): void {
    this.server.onerror(error);
  }

  async #append(text: string): Promise<void> {
    try {
      await this.store.append(this.#log, text, bounds);
    } catch (error) {
      this.server.onerror(error);
    }
  }

  /** Changes before the start are delivered, too; there are no clients yet. */
  async #follow(pauseMs: number): Promise<void> {
    try {
      const stop = await followLog(this.store, this.#log, undefined, this);
      if (this.#hasEnded) stop();
      else this.#stop = stop;
    } catch (error) {
      this.server.onerror(error);
      if (!this.#hasEnded) unref(setTimeout(() => void this.#follow(Math.min(2 * pauseMs, longestPauseMs)), pauseMs));
    }
  }
}

/** Nodes of another version may write other members. */
function toChange({ kind, uri }: Readonly<Record<string, unknown>>): Change {
  return { kind: kind as Change["kind"], ...(typeof uri === "string" && { uri }) };
}
