import { assertNumberOptions } from "../../options/assert-options.js";
import { Backplane } from "../backplane.js";
import type {
  AppendOptions,
  ChannelSubscriber,
  LogPage,
  ReadOptions,
  SetOptions,
  StoredValue,
} from "../backplane-store.js";
import { MemoryChannels } from "./memory-channels.js";
import { MemoryLogs } from "./memory-logs.js";
import { MemoryValues } from "./memory-values.js";

export interface MemoryBackplaneOptions {
  /**
   * The most characters of all log entries, and of all values, each entry and value counted with 200 more for its keeping. Beyond it,
   * the oldest entries of the logs that have most are dropped, and new values are rejected. Default: `2 ** 26`.
   */
  readonly maxSize?: number;
  /** Receives what subscribers throw. Default: it is thrown as an uncaught exception. */
  readonly onerror?: (error: unknown) => void;
}

/**
 * A backplane in the memory of this process: for one node, and for tests of several.
 * @throws SdkError `INVALID_CONFIGURATION` when `maxSize` is negative
 * @example
 * ```ts
 * const server = new McpServer(info, { backplane: new MemoryBackplane() });
 * ```
 */
export class MemoryBackplane extends Backplane {
  readonly #values: MemoryValues;
  readonly #logs: MemoryLogs;
  readonly #channels: MemoryChannels;
  #epoch = "";

  constructor(options: MemoryBackplaneOptions = {}) {
    super();
    assertNumberOptions(options);
    const { maxSize = 2 ** 26, onerror = throwLater } = options;
    this.#values = new MemoryValues(maxSize);
    // Some hosts do not provide random numbers before the first request.
    this.#logs = new MemoryLogs(maxSize, () => (this.#epoch ||= crypto.randomUUID().slice(0, 8)));
    this.#channels = new MemoryChannels(onerror);
  }

  get(key: string): StoredValue | undefined {
    return this.#values.get(key);
  }

  set(key: string, text: string, options: SetOptions): string | undefined {
    return this.#values.set(key, text, options);
  }

  extend(key: string, ttlMs: number): boolean {
    return this.#values.extend(key, ttlMs);
  }

  delete(key: string, ifVersion?: string): boolean {
    return this.#values.delete(key, ifVersion);
  }

  append(log: string, text: string, options: AppendOptions): string {
    const id = this.#logs.append(log, text, options);
    this.#channels.publish(log, id);
    return id;
  }

  read(log: string, options: ReadOptions): LogPage {
    return this.#logs.read(log, options);
  }

  drop(log: string): boolean {
    return this.#logs.drop(log);
  }

  publish(channel: string, text: string): void {
    this.#channels.publish(channel, text);
  }

  subscribe(channel: string, subscriber: ChannelSubscriber): () => void {
    return this.#channels.subscribe(channel, subscriber);
  }
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
