import { ExpiryBuckets } from "../../timing/expiry-buckets.js";
import type { AppendOptions, LogPage, ReadOptions } from "../backplane-store.js";
import { StoredLog } from "./stored-log.js";

/** The logs of a backplane in memory. When there are too many entries, the logs that have most lose their oldest ones. */
export class MemoryLogs {
  readonly #logs = new Map<string, StoredLog>();
  readonly #expiry = new ExpiryBuckets<StoredLog>((log) => this.#remove(log));
  /** The logs by the binary length of their size: finding the largest exactly would take as long as there are logs. */
  readonly #bySize: Set<StoredLog>[] = Array.from({ length: 33 }, () => new Set());
  /** The number of logs so far. */
  #count = 0;
  #size = 0;

  /**
   * @param maxSize the most characters of all entries, each counted with 200 more for its keeping
   * @param epoch returns a text that distinguishes the entries of this process from those of others
   */
  constructor(
    readonly maxSize: number,
    readonly epoch: () => string,
  ) {}

  append(name: string, text: string, { ttlMs, maxEntries }: AppendOptions): string {
    const log = this.#find(name) ?? this.#create(name);
    let id = "";
    this.#resize(log, () => {
      id = log.add(text);
      while (log.length > maxEntries) log.removeFirst();
    });
    log.due = performance.now() + ttlMs;
    this.#expiry.add(log);
    while (this.#size > this.maxSize) this.#evict(log);
    return id;
  }

  read(name: string, options: ReadOptions): LogPage {
    return this.#find(name)?.read(options) ?? { entries: [], hasGap: options.after !== undefined };
  }

  drop(name: string): boolean {
    const log = this.#find(name);
    if (log) this.#remove(log);
    return log !== undefined;
  }

  #find(name: string): StoredLog | undefined {
    const log = this.#logs.get(name);
    if (!log || log.due > performance.now()) return log;
    this.#remove(log);
    return undefined;
  }

  #create(name: string): StoredLog {
    const log = new StoredLog(name, `${this.epoch()}${(this.#count++).toString(36)}`);
    this.#logs.set(name, log);
    return log;
  }

  /** Removes the oldest entry of a log that has at least half of the most. @param current is kept even without entries */
  #evict(current: StoredLog): void {
    const [largest] = this.#bySize.findLast(({ size }) => size > 0) ?? [];
    if (!largest) return;
    this.#resize(largest, () => largest.removeFirst());
    if (largest.size === 0 && largest !== current) this.#remove(largest);
  }

  #resize(log: StoredLog, change: () => void): void {
    const before = log.size;
    change();
    this.#size += log.size - before;
    const from = this.#bySize[binaryLength(before)];
    const to = this.#bySize[binaryLength(log.size)];
    if (from !== to) from?.delete(log);
    to?.add(log);
  }

  #remove(log: StoredLog): void {
    this.#size -= log.size;
    this.#bySize[binaryLength(log.size)]?.delete(log);
    this.#logs.delete(log.name);
    this.#expiry.delete(log);
  }
}

function binaryLength(size: number): number {
  return size >= 2 ** 31 ? 32 : 32 - Math.clz32(size);
}
