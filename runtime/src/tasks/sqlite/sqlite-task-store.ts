import { assertNumberOptions } from "../../options/assert-options.js";
import { fromColumn, toColumn } from "../../sqlite/column-text.js";
import { GroupedCommits } from "../../sqlite/grouped-commits.js";
import { SqliteConnection } from "../../sqlite/sqlite-connection.js";
import type { SqliteDatabase, SqliteStatement } from "../../sqlite/sqlite-database.js";
import { deadlineTimer } from "../../timing/deadline-timer.js";
import type { Principal } from "../../transport/principal.js";
import { readCursor, writeCursor } from "../store/list-cursor.js";
import {
  idInUse,
  roomProblem,
  smallRecord,
  taskLimits,
  type TaskLimits,
  type TaskUsage,
} from "../store/task-limits.js";
import { WorkerWatch } from "../store/worker-watch.js";
import { hasEnded, ownerKey, type TaskRecord, type TaskRequest } from "../task-record.js";
import { TaskStoreError } from "../task-store-error.js";
import type { TaskPage, TaskQuery, TaskStore } from "../task-store.js";
import { ChangeFeed } from "./change-feed.js";
import { StoreClock } from "./store-clock.js";
import { statements, taskDatabase } from "./task-tables.js";

export interface SqliteTaskStoreOptions extends TaskLimits {
  /** Milliseconds that a change waits for other processes that have the database locked. Default: `5_000`. */
  readonly busyTimeoutMs?: number;
  /** Milliseconds between two looks for changes by other processes, while something listens for changes. Default: `250`. */
  readonly pollIntervalMs?: number;
  /** Called when work in the background fails: deleting expired tasks, or looking for changes. The store tries again later. */
  readonly onerror?: (error: Error) => void;
}

interface WorkerRow {
  readonly id: string;
  readonly beat: number | null;
  readonly lease_ms: number | null;
}

/** A wait in SQLite blocks the process. Longer waits happen outside of it. */
const blockedAtMostMs = 20;
/** Expired tasks are never returned, but their rows are deleted at most this often. */
const sweepIntervalMs = 1_000;
/** Other processes may create tasks that expire, and end before they delete them. */
const longestSweepMs = 60_000;
/** Longer lives are the same as this one, and stay safe integers. */
const longestTtlMs = 1e14;

/**
 * Keeps tasks in a SQLite database, which several processes of one machine may share. Tasks survive the end of the process, also a
 * crash of the machine: a call resolves when the disk has the change. All changes of one turn of the event loop share one commit.
 *
 * The database is the `Database` of libsql or of better-sqlite3 8 or later, or the `DatabaseSync` of `node:sqlite` (Node 22.13 and
 * later). The store sets its journal to WAL. Put it on a local disk: SQLite cannot lock files of network drives.
 * @example
 * ```ts
 * import Database from "libsql";
 *
 * const store = new SqliteTaskStore(new Database("tasks.db"));
 * ```
 */
export class SqliteTaskStore implements TaskStore {
  readonly #connection: SqliteConnection;
  readonly #commits: GroupedCommits;
  readonly #clock = new StoreClock();
  readonly #feed = new ChangeFeed();
  readonly #watch = new WorkerWatch();
  readonly #limits: Required<TaskLimits>;
  readonly #busyTimeoutMs: number;
  readonly #pollIntervalMs: number;
  readonly #onerror: ((error: Error) => void) | undefined;
  /** What the current transaction has changed. */
  #changed: string[] = [];
  #stamps: number[] = [];
  /** Milliseconds of the monotonic clock. */
  #sweepAt = Infinity;
  #pollAt = Infinity;

  /**
   * @throws SdkError `INVALID_CONFIGURATION` when `database` is not one, or an option is invalid
   * @throws TaskStoreError when the database cannot be used: it is read-only, damaged, or belongs to another program
   */
  constructor(database: SqliteDatabase, options: SqliteTaskStoreOptions = {}) {
    const { busyTimeoutMs = 5_000, pollIntervalMs = 250, onerror, ...limits } = options;
    assertNumberOptions({ busyTimeoutMs, pollIntervalMs });
    this.#limits = taskLimits(limits);
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#pollIntervalMs = pollIntervalMs;
    this.#onerror = onerror;
    this.#connection = new SqliteConnection(
      database,
      taskDatabase,
      ({ reason, message }, cause) => new TaskStoreError(reason, message, { cause }),
      busyTimeoutMs,
    );
    this.#connection.try("open the database", () => {
      database.exec("PRAGMA synchronous = FULL");
      this.#connection.setBusyTimeout(Math.min(busyTimeoutMs, blockedAtMostMs));
    });
    this.#commits = new GroupedCommits(this.#connection, {
      busyTimeoutMs,
      isBusy: (error) => error instanceof TaskStoreError && error.reason === "busy",
      transaction: (work) => this.#transaction(work),
      oncommit: () => this.#feed.add(this.#changed, this.#stamps),
    });
    this.#sweepIn(0);
  }

  async create(record: TaskRecord, request?: TaskRequest): Promise<void> {
    const { id, version, revision, worker, ttlMs } = record;
    const [text, requestText] = [JSON.stringify(record), request ? JSON.stringify(request) : ""];
    const owner = ownerColumn(record.owner);
    const ended = Number(hasEnded(record));
    const size = text.length + requestText.length;
    const problem = await this.#commits.run("create a task", () => {
      const full = this.#roomProblem(owner, { tasks: 1, size });
      if (full) return full;
      const stamp = this.#stamp();
      const end = ttlMs === null ? null : Math.floor(stamp / 1_000) + column(ttlMs);
      const indexed = [stamp, stamp, toColumn(id), owner, toColumn(revision), version, ended, toColumn(worker), end];
      const row = this.#statement("add").get(...indexed, requestText.length, size, text);
      if (row === undefined) return idInUse();
      if (request) this.#statement("addRequest").run(stamp, requestText);
      this.#changed.push(id);
      return undefined;
    });
    if (problem) throw problem;
    if (ttlMs !== null) this.#sweepIn(ttlMs);
  }

  get(id: string, owner: Principal | null): TaskRecord | undefined {
    const row = this.#read("read a task", "get", toColumn(id), ownerColumn(owner), this.#now());
    return row === undefined ? undefined : toRecord(row);
  }

  getRequest(id: string, owner: Principal | null): TaskRequest | undefined {
    const row = this.#read("read a task", "getRequest", toColumn(id), ownerColumn(owner), this.#now());
    return row === undefined ? undefined : (JSON.parse((row as { readonly request: string }).request) as TaskRequest);
  }

  async update(record: TaskRecord): Promise<boolean> {
    const text = JSON.stringify(record);
    const changed = await this.#commits.run(
      "change a task",
      () => (text.length > smallRecord ? this.#growthProblem(record, text) : undefined) ?? this.#replace(record, text),
    );
    if (changed instanceof TaskStoreError) throw changed;
    if (changed && record.ttlMs !== null) this.#sweepIn(record.ttlMs);
    return changed;
  }

  async delete(id: string, owner: Principal | null): Promise<boolean> {
    return this.#commits.run("delete a task", () => {
      const row = this.#statement("remove").get(toColumn(id), ownerColumn(owner), this.#now());
      if (row !== undefined) this.#changed.push(id);
      return row !== undefined;
    });
  }

  list({ owner, revision, cursor, limit }: TaskQuery): TaskPage {
    const after = readCursor(cursor);
    const rows = this.#connection.try("list tasks", () =>
      this.#statement("list").all(ownerColumn(owner), toColumn(revision), after, this.#now(), limit + 1),
    ) as { readonly stamp: number; readonly record: string }[];
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return { records: page.map(toRecord), nextCursor: last && writeCursor(last.stamp) };
  }

  async heartbeat(worker: string, leaseMs: number): Promise<void> {
    await this.#commits.run("store a heartbeat", () => {
      this.#statement("beat").run(toColumn(worker), this.#stamp(), leaseMs);
    });
  }

  async retire(worker: string): Promise<void> {
    await this.#commits.run("retire a worker", () => {
      this.#statement("retire").run(toColumn(worker));
    });
  }

  async claimAbandoned(worker: string, limit: number): Promise<readonly TaskRecord[]> {
    const dead = this.#connection.try("look for abandoned tasks", () =>
      this.#workers().filter(
        ({ id, beat, lease_ms }) =>
          id !== toColumn(worker) &&
          this.#watch.isDead(id, beat === null || lease_ms === null ? undefined : { beat, leaseMs: lease_ms }),
      ),
    );
    if (dead.length === 0) return [];
    return this.#commits.run("claim abandoned tasks", () => {
      // Another process may have claimed the tasks since, and the worker may have come back.
      const beats = new Map(this.#workers().map(({ id, beat }) => [id, beat]));
      const still = dead.filter(({ id, beat }) => beats.get(id) === beat);
      const rows = still.flatMap(({ id }) => this.#statement("ofWorker").all(id, this.#now(), limit)) as {
        readonly stamp: number;
        readonly record: string;
      }[];
      const claimed = rows
        .sort((a, b) => a.stamp - b.stamp)
        .slice(0, limit)
        .map((row) => {
          const record = toRecord(row);
          return { ...record, worker, attempts: record.attempts + 1, version: record.version + 1 };
        })
        .filter((record) => this.#replace(record, JSON.stringify(record)));
      for (const { id } of still) {
        if (this.#statement("ofWorker").get(id, this.#now(), 1) !== undefined) continue;
        this.#statement("retire").run(id);
        this.#watch.forget(id);
      }
      return claimed;
    });
  }

  subscribe(listener: (id: string) => void): () => void {
    this.#pollIn(this.#pollIntervalMs);
    return this.#connection.try("look for changes", () =>
      this.#feed.subscribe(
        listener,
        () => this.#version(),
        () => (this.#statement("lastChange").get() as { readonly last: number | null }).last ?? 0,
      ),
    );
  }

  /** Stores the changes that wait, and closes the database. Close the server before. */
  close(): void {
    this.#sweepAt = this.#pollAt = Infinity;
    deadlineTimer.cancel(this);
    // The last changes may wait in SQLite: there is no later turn.
    this.#connection.try("close the database", () => this.#connection.setBusyTimeout(this.#busyTimeoutMs));
    this.#commits.flush();
    this.#connection.close();
  }

  /** @internal */
  expireDue(now: number): number {
    try {
      if (now >= this.#pollAt) this.#poll(now);
      if (now >= this.#sweepAt) this.#sweepLater(now);
    } catch (error) {
      this.#failed(error as Error);
      // A database that was closed behind the store stays closed.
      const isClosed = error instanceof TaskStoreError && error.reason === "closed";
      this.#pollAt = isClosed ? Infinity : Math.max(this.#pollAt, now + this.#pollIntervalMs);
      this.#sweepAt = isClosed ? Infinity : Math.max(this.#sweepAt, now + sweepIntervalMs);
    }
    return Math.min(this.#pollAt, this.#sweepAt);
  }

  #transaction(work: () => void): void {
    this.#changed = [];
    this.#stamps = [];
    this.#connection.transaction(() => {
      const { clock } = this.#statement("clock").get() as { readonly clock: number };
      this.#clock.catchUp(clock);
      work();
      this.#statement("setClock").run(this.#clock.now());
    });
  }

  #replace(record: TaskRecord, text: string): boolean {
    const { id, version, worker, ttlMs } = record;
    const stamp = this.#stamp();
    const next = [
      version,
      Number(hasEnded(record)),
      toColumn(worker),
      ttlMs === null ? null : column(ttlMs),
      stamp,
      text.length,
      text,
    ];
    const found = [toColumn(id), ownerColumn(record.owner), version - 1, this.#now()];
    const row = this.#statement("replace").get(...next, ...found);
    if (row !== undefined) this.#changed.push(id);
    return row !== undefined;
  }

  #growthProblem({ id, owner, version }: TaskRecord, text: string): TaskStoreError | undefined {
    const found = [toColumn(id), ownerColumn(owner), version - 1, this.#now()];
    const before = this.#statement("recordSize").get(...found) as { readonly size: number } | undefined;
    return before && this.#roomProblem(ownerColumn(owner), { tasks: 0, size: text.length - before.size });
  }

  /** Returns why there is no room, after expired tasks have made some. */
  #roomProblem(owner: string, added: TaskUsage): TaskStoreError | undefined {
    const problem = (): TaskStoreError | undefined =>
      roomProblem(
        this.#limits,
        added,
        this.#statement("usage").get() as TaskUsage,
        owner === "" ? undefined : (this.#statement("usageOfOwner").get(owner) as TaskUsage),
      );
    if (!problem()) return undefined;
    this.#sweep();
    return problem();
  }

  #workers(): WorkerRow[] {
    return this.#statement("workers").all() as WorkerRow[];
  }

  /** Deletes expired tasks in the current transaction. */
  #sweep(): void {
    for (const row of this.#statement("expire").all(this.#now())) this.#changed.push(fromId(row));
  }

  #sweepLater(now: number): void {
    const { next } = this.#read("read a task", "nextEnd") as { readonly next: number | null };
    const waitMs = (next ?? Infinity) - this.#now();
    this.#sweepAt = now + Math.min(Math.max(waitMs, sweepIntervalMs), longestSweepMs);
    if (waitMs > 0) return;
    this.#commits
      .run("delete expired tasks", () => this.#sweep())
      .catch((error: unknown) => this.#failed(error as Error));
  }

  #poll(now: number): void {
    this.#pollAt = this.#feed.hasListeners ? now + this.#pollIntervalMs : Infinity;
    if (!this.#feed.hasListeners) return;
    this.#connection.try("look for changes", () =>
      this.#feed.poll(this.#version(), (stamp) =>
        (this.#statement("changedSince").all(stamp) as { readonly id: string; readonly changed: number }[]).map(
          (row) => ({
            id: fromId(row),
            changed: row.changed,
          }),
        ),
      ),
    );
  }

  #sweepIn(ms: number): void {
    this.#sweepAt = Math.min(this.#sweepAt, performance.now() + Math.max(ms, sweepIntervalMs));
    deadlineTimer.schedule(this, this.#sweepAt);
  }

  #pollIn(ms: number): void {
    this.#pollAt = Math.min(this.#pollAt, performance.now() + ms);
    deadlineTimer.schedule(this, this.#pollAt);
  }

  #version(): number {
    return (this.#statement("version").get() as { readonly data_version: number }).data_version;
  }

  #now(): number {
    return Math.floor(this.#clock.now() / 1_000);
  }

  /** Returns the time of a change in the current transaction. */
  #stamp(): number {
    const stamp = this.#clock.next();
    this.#stamps.push(stamp);
    return stamp;
  }

  #statement(name: keyof typeof statements): SqliteStatement {
    return this.#connection.statement(statements[name]);
  }

  #read(what: string, name: keyof typeof statements, ...parameters: (string | number)[]): unknown {
    return this.#connection.try(what, () => this.#statement(name).get(...parameters));
  }

  #failed(error: Error): void {
    this.#onerror?.(error);
  }
}

function ownerColumn(owner: Principal | null): string {
  return toColumn(ownerKey(owner));
}

function column(ttlMs: number): number {
  return Math.min(Math.floor(ttlMs), longestTtlMs);
}

function fromId(row: unknown): string {
  return fromColumn((row as { readonly id: string }).id);
}

function toRecord(row: unknown): TaskRecord {
  return JSON.parse((row as { readonly record: string }).record) as TaskRecord;
}
