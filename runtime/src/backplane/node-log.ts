import { unref } from "../timing/timer-delay.js";
import { BackplaneError } from "./backplane-error.js";
import type { AppendOptions, Channels, LogEntry, LogStore } from "./backplane-store.js";
import { followLog, type LogFollower } from "./follow-log.js";
import { parseObject } from "./parse-object.js";

/** The pauses between attempts to follow the log, in milliseconds: the first, and the longest. */
const [firstPauseMs, longestPauseMs] = [100, 10_000];

/** A JSON object that one node sends to others. */
export type NodeMessage = Readonly<Record<string, unknown>>;

export interface NodeLogEvents {
  /** Called with each message, in order; the next one waits for the promise. @param id the id of its entry */
  readonly onMessage: (message: NodeMessage, id: string) => void | Promise<void>;
  /** Called when messages are missing. */
  readonly onGap: () => void;
  readonly onerror: (error: unknown) => void;
}

/** A log with which nodes send messages to each other: none is lost while the backplane is away, unless that takes too long. */
export class NodeLog implements LogFollower {
  #hasEnded = false;
  /** The id of the newest entry, as soon as that is known. */
  #position: { readonly id: string | undefined } | undefined;
  #stop: (() => void) | undefined;

  constructor(
    readonly store: LogStore & Channels,
    readonly name: string,
    readonly bounds: AppendOptions,
    readonly events: NodeLogEvents,
    /** Whether messages that were sent before this node joined are of interest. */
    readonly wantsEarlier = false,
  ) {
    void this.#follow(firstPauseMs);
  }

  /** Sends a message to all followers of a log. @throws BackplaneError */
  async send(message: NodeMessage, to = this.name): Promise<void> {
    await this.store.append(to, JSON.stringify(message), this.bounds);
  }

  /** Returns the id of the newest entry; undefined when there is none. @throws BackplaneError */
  async position(): Promise<string | undefined> {
    if (this.#position) return this.#position.id;
    const limit = 1_000;
    for (let after: string | undefined; ;) {
      const { entries } = await this.store.read(this.name, { after, limit });
      after = entries.at(-1)?.id ?? after;
      if (entries.length >= limit) continue;
      // Later entries are delivered, also when it takes several attempts to follow the log.
      this.#position ??= { id: after };
      return this.#position.id;
    }
  }

  end(): void {
    this.#hasEnded = true;
    this.#stop?.();
  }

  /** @internal */
  onEntry({ id, text }: LogEntry): void | Promise<void> {
    this.#position = { id };
    const message = parseObject(text);
    if (message) return this.events.onMessage(message, id);
    const program = `log ${this.name} has an entry of another program; choose another prefix for one of the two`;
    this.events.onerror(new BackplaneError("unreadable", program));
  }

  /** @internal */
  onGap(): void {
    this.events.onGap();
  }

  /** @internal */
  onError(error: Error): void {
    this.events.onerror(error);
  }

  async #follow(pauseMs: number): Promise<void> {
    try {
      const after = this.wantsEarlier ? this.#position?.id : await this.position();
      this.#position ??= { id: after };
      const stop = await followLog(this.store, this.name, after, this);
      if (this.#hasEnded) stop();
      else this.#stop = stop;
    } catch (error) {
      this.events.onerror(error);
      if (!this.#hasEnded) unref(setTimeout(() => void this.#follow(Math.min(2 * pauseMs, longestPauseMs)), pauseMs));
    }
  }
}
