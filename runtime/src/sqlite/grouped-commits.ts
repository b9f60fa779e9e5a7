import type { SqliteConnection } from "./sqlite-connection.js";

interface Job {
  readonly what: string;
  readonly work: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How the commits of a store run. */
export interface CommitOptions {
  /** Milliseconds that a change waits for other processes. Meanwhile this process continues. */
  readonly busyTimeoutMs: number;
  /** Whether an error of the store means that another process has the database locked. */
  readonly isBusy: (error: unknown) => boolean;
  /** Runs the work of some changes in a transaction. */
  readonly transaction: (work: () => void) => void;
  /** Called after each transaction that was committed. */
  readonly oncommit: () => void;
}

/** A transaction with more changes would block the process for too long. */
const maxJobs = 100;
/** Milliseconds until the next try when the database is locked. */
const retryMs = 5;

/**
 * Runs all changes of one turn of the event loop in one transaction, because each commit waits for the disk. The promise of a change
 * resolves after the commit. When a transaction of several changes fails, each one runs again alone, so that only those fail that cannot
 * be stored.
 */
export class GroupedCommits {
  readonly #connection: SqliteConnection;
  readonly #options: CommitOptions;
  #waiting: Job[] = [];
  /** Whether a turn is scheduled that commits. */
  #scheduled = false;

  constructor(connection: SqliteConnection, options: CommitOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /**
   * Runs a change. @param work is called again when the transaction is repeated; it returns its errors instead of throwing them
   * @param what it does, as in `cannot <what>`
   */
  async run<Result>(what: string, work: () => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ what, work, resolve: resolve as (result: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** Commits the changes that wait. */
  flush(): void {
    while (this.#waiting.length > 0) this.#commit(this.#waiting.splice(0, maxJobs), 0);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#turn(performance.now() + this.#options.busyTimeoutMs));
  }

  #turn(deadline: number): void {
    const jobs = this.#waiting.splice(0, maxJobs);
    if (!this.#commit(jobs, deadline)) {
      this.#waiting.unshift(...jobs);
      setTimeout(() => this.#turn(deadline), retryMs);
      return;
    }
    this.#scheduled = false;
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** Returns false when the database is locked, and the deadline has not passed. */
  #commit(jobs: readonly Job[], deadline: number): boolean {
    const [first] = jobs;
    if (!first) return true;
    let results: readonly unknown[] = [];
    try {
      this.#connection.try(jobs.length === 1 ? first.what : "store changes", () =>
        this.#options.transaction(() => (results = jobs.map(({ work }) => work()))),
      );
    } catch (error) {
      const isBusy = this.#options.isBusy(error);
      if (isBusy && performance.now() < deadline) return false;
      if (isBusy || jobs.length === 1) for (const { reject } of jobs) reject(error);
      else for (const job of jobs) this.#commit([job], 0);
      return true;
    }
    for (const [at, { resolve }] of jobs.entries()) resolve(results[at]);
    this.#options.oncommit();
    return true;
  }
}
