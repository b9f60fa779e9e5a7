import { isObject } from "../jsonrpc/guards.js";
import { unref } from "../timing/timer-delay.js";
import type { AppendOptions, Channels, LogEntry, LogStore } from "./backplane-store.js";
import { followLog, type LogFollower } from "./follow-log.js";

/** The pauses between attempts to follow the log, in milliseconds: the first, and the longest. */
const [firstPauseMs, longestPauseMs] = [100, 10_000];

/** A JSON object that one node sends to others. */
export type NodeMessage = Readonly<Record<string, unknown>>;

export interface NodeLogEvents {
  /** Called with each message, in order; the next one waits for the promise. */
  readonly onMessage: (message: NodeMessage) => void | Promise<void>;
  /** Called when messages are missing. */
  readonly onGap: () => void;
  readonly onerror: (error: unknown) => void;
}

/** A log with which nodes send messages to each other: none is lost while the backplane is away, unless that takes too long. */
export class NodeLog implements LogFollower {
  #hasEnded = false;
  #stop: (() => void) | undefined;

  constructor(
    readonly store: LogStore & Channels,
    readonly name: string,
    readonly bounds: AppendOptions,
    readonly events: NodeLogEvents,
  ) {
    void this.#follow(firstPauseMs);
  }

  /** Sends a message to all followers of a log. @throws BackplaneError */
  async send(message: NodeMessage, to = this.name): Promise<void> {
    await this.store.append(to, JSON.stringify(message), this.bounds);
  }

  end(): void {
    this.#hasEnded = true;
    this.#stop?.();
  }

  /** @internal */
  onEntry({ text }: LogEntry): void | Promise<void> {
    const message: unknown = JSON.parse(text);
    if (isObject(message)) return this.events.onMessage(message);
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
      const stop = await followLog(this.store, this.name, undefined, this);
      if (this.#hasEnded) stop();
      else this.#stop = stop;
    } catch (error) {
      this.events.onerror(error);
      if (!this.#hasEnded) unref(setTimeout(() => void this.#follow(Math.min(2 * pauseMs, longestPauseMs)), pauseMs));
    }
  }
}
