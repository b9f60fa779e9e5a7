import { deadlineTimer } from "../../timing/deadline-timer.js";
import type { Principal } from "../../transport/principal.js";
import { hasEnded, ownerKey, type TaskRecord, type TaskRequest } from "../task-record.js";
import type { TaskStoreError } from "../task-store-error.js";
import type { TaskPage, TaskQuery, TaskStore } from "../task-store.js";
import { readCursor, writeCursor } from "./list-cursor.js";
import { idInUse, roomProblem, smallRecord, taskLimits, type TaskLimits, type TaskUsage } from "./task-limits.js";
import { type Heartbeat, WorkerWatch } from "./worker-watch.js";

/** A record without questions, result and error. Absent members are undefined. */
type Head = Omit<TaskRecord, "questions" | "result" | "error">;

interface Stored {
  readonly owner: string;
  /** Microseconds of the monotonic clock at the creation; unique. */
  readonly stamp: number;
  /** Milliseconds of the monotonic clock. */
  expiresAt: number;
  head: Head;
  /** Questions, result and error as JSON, so that callers cannot change them; empty when there are none. */
  content: string;
  /** As JSON; empty when there is none. */
  readonly request: string;
}

/** The characters of a head as JSON, about. */
const headSize = 400;
/** Expired tasks are never returned, but their memory is released at most this often, because that visits all tasks. */
const sweepIntervalMs = 1_000;

/**
 * Keeps tasks in the memory of this process. They end with the process: for development, tests, and servers on stdio.
 * @example
 * ```ts
 * const store = new MemoryTaskStore({ maxTasksPerOwner: 100 });
 * ```
 */
export class MemoryTaskStore implements TaskStore {
  readonly #tasks = new Map<string, Stored>();
  /** The tasks of each owner, in the order of their creation. */
  readonly #byOwner = new Groups();
  /** The characters of the tasks of each owner. */
  readonly #sizes = new Map<string, number>();
  /** The tasks of each worker that have not ended. */
  readonly #byWorker = new Groups();
  readonly #heartbeats = new Map<string, Heartbeat>();
  readonly #watch = new WorkerWatch();
  readonly #listeners = new Set<(id: string) => void>();
  readonly #limits: Required<TaskLimits>;
  #size = 0;
  #lastStamp = 0;
  /** No task expires before. */
  #nextExpiry = Infinity;
  /** When the timer sweeps. */
  #sweepAt = Infinity;

  /** @throws SdkError `INVALID_CONFIGURATION` when a limit is not a number above 0 */
  constructor(limits: TaskLimits = {}) {
    this.#limits = taskLimits(limits);
  }

  create(record: TaskRecord, request?: TaskRequest): void {
    const owner = ownerKey(record.owner);
    const [head, content] = [headOf(record), contentOf(record)];
    const text = request ? JSON.stringify(request) : "";
    const size = headSize + content.length + text.length;
    const problem = this.#tasks.has(head.id) ? idInUse() : this.#roomProblem(owner, { tasks: 1, size });
    if (problem) throw problem;
    const now = performance.now();
    const stamp = (this.#lastStamp = Math.max(this.#lastStamp + 1, Math.floor(now * 1_000)));
    const task: Stored = { owner, stamp, expiresAt: now + (head.ttlMs ?? Infinity), head, content, request: text };
    this.#tasks.set(head.id, task);
    this.#byOwner.add(owner, task);
    this.#resize(owner, size);
    if (!hasEnded(head)) this.#byWorker.add(head.worker, task);
    this.#sweepBy(task.expiresAt);
    this.#notify(head.id);
  }

  get(id: string, owner: Principal | null): TaskRecord | undefined {
    const task = this.#find(id, owner);
    return task && toRecord(task);
  }

  getRequest(id: string, owner: Principal | null): TaskRequest | undefined {
    const task = this.#find(id, owner);
    return task?.request ? (JSON.parse(task.request) as TaskRequest) : undefined;
  }

  update(record: TaskRecord): boolean {
    const task = this.#find(record.id, record.owner);
    if (!task || hasEnded(task.head) || task.head.version !== record.version - 1) return false;
    const [head, content] = [headOf(record), contentOf(record)];
    const added = { tasks: 0, size: content.length - task.content.length };
    const problem = content.length > smallRecord ? this.#roomProblem(task.owner, added) : undefined;
    if (problem) throw problem;
    this.#replace(task, head, content);
    return true;
  }

  delete(id: string, owner: Principal | null): boolean {
    const task = this.#find(id, owner);
    if (task) this.#remove(task);
    return task !== undefined;
  }

  list({ owner, revision, cursor, limit }: TaskQuery): TaskPage {
    const after = readCursor(cursor);
    const now = performance.now();
    const found: Stored[] = [];
    for (const task of this.#byOwner.get(ownerKey(owner))) {
      if (task.stamp <= after || task.head.revision !== revision || task.expiresAt <= now) continue;
      if (found.length === limit) return { records: found.map(toRecord), nextCursor: cursorAfter(found) };
      found.push(task);
    }
    return { records: found.map(toRecord), nextCursor: undefined };
  }

  heartbeat(worker: string, leaseMs: number): void {
    this.#heartbeats.set(worker, { beat: (this.#heartbeats.get(worker)?.beat ?? 0) + 1, leaseMs });
  }

  retire(worker: string): void {
    this.#heartbeats.delete(worker);
    this.#watch.forget(worker);
  }

  claimAbandoned(worker: string, limit: number): TaskRecord[] {
    this.#sweep(performance.now());
    const dead = [...new Set([...this.#heartbeats.keys(), ...this.#byWorker.keys()])].filter(
      (other) => other !== worker && this.#watch.isDead(other, this.#heartbeats.get(other)),
    );
    const abandoned = dead.flatMap((other) => [...this.#byWorker.get(other)]).sort((a, b) => a.stamp - b.stamp);
    const claimed = abandoned.slice(0, limit);
    for (const task of claimed) {
      const { version, attempts } = task.head;
      const head = { ...task.head, worker, attempts: attempts + 1, version: version + 1 };
      this.#replace(task, head, task.content);
    }
    for (const other of dead) if (this.#byWorker.get(other).size === 0) this.retire(other);
    return claimed.map(toRecord);
  }

  subscribe(listener: (id: string) => void): () => void {
    const own = (id: string): void => listener(id);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** @internal */
  expireDue(now: number): number {
    if (now < this.#sweepAt) return this.#sweepAt;
    this.#sweep(now);
    return (this.#sweepAt =
      this.#nextExpiry === Infinity ? Infinity : Math.max(this.#nextExpiry, now + sweepIntervalMs));
  }

  #find(id: string, owner?: Principal | null): Stored | undefined {
    const task = this.#tasks.get(id);
    if (!task || task.expiresAt <= performance.now()) return undefined;
    return owner === undefined || task.owner === ownerKey(owner) ? task : undefined;
  }

  /** Returns why there is no room, after expired tasks have made some. */
  #roomProblem(owner: string, added: TaskUsage): TaskStoreError | undefined {
    const problem = (): TaskStoreError | undefined => {
      const own =
        owner === "" ? undefined : { tasks: this.#byOwner.get(owner).size, size: this.#sizes.get(owner) ?? 0 };
      return roomProblem(this.#limits, added, { tasks: this.#tasks.size, size: this.#size }, own);
    };
    if (!problem()) return undefined;
    this.#sweep(performance.now());
    return problem();
  }

  #resize(owner: string, growth: number): void {
    this.#size += growth;
    const size = (this.#sizes.get(owner) ?? 0) + growth;
    if (size === 0) this.#sizes.delete(owner);
    else this.#sizes.set(owner, size);
  }

  #replace(task: Stored, head: Head, content: string): void {
    this.#resize(task.owner, content.length - task.content.length);
    this.#byWorker.remove(task.head.worker, task);
    task.head = head;
    task.content = content;
    task.expiresAt = task.stamp / 1_000 + (head.ttlMs ?? Infinity);
    if (!hasEnded(head)) this.#byWorker.add(head.worker, task);
    this.#sweepBy(task.expiresAt);
    this.#notify(head.id);
  }

  #remove(task: Stored): void {
    this.#resize(task.owner, -headSize - task.content.length - task.request.length);
    this.#tasks.delete(task.head.id);
    this.#byOwner.remove(task.owner, task);
    this.#byWorker.remove(task.head.worker, task);
    this.#notify(task.head.id);
  }

  #sweepBy(due: number): void {
    this.#nextExpiry = Math.min(this.#nextExpiry, due);
    if (due >= this.#sweepAt) return;
    this.#sweepAt = due;
    deadlineTimer.schedule(this, due);
  }

  /** Deletes the expired tasks. */
  #sweep(now: number): void {
    if (now < this.#nextExpiry) return;
    this.#nextExpiry = Infinity;
    for (const task of this.#tasks.values())
      if (task.expiresAt <= now) this.#remove(task);
      else this.#nextExpiry = Math.min(this.#nextExpiry, task.expiresAt);
  }

  #notify(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }
}

/** Sets of tasks by a key, without empty sets. */
class Groups {
  static readonly #none: ReadonlySet<Stored> = new Set();
  readonly #groups = new Map<string, Set<Stored>>();

  get(key: string): ReadonlySet<Stored> {
    return this.#groups.get(key) ?? Groups.#none;
  }

  keys(): Iterable<string> {
    return this.#groups.keys();
  }

  add(key: string, task: Stored): void {
    const group = this.#groups.get(key);
    if (group) group.add(task);
    else this.#groups.set(key, new Set([task]));
  }

  remove(key: string, task: Stored): void {
    const group = this.#groups.get(key);
    group?.delete(task);
    if (group?.size === 0) this.#groups.delete(key);
  }
}

/** Most records have no content: copies of their heads cost less than JSON. */
function contentOf({ questions, result, error }: TaskRecord): string {
  const isEmpty = questions.length === 0 && result === undefined && error === undefined;
  return isEmpty ? "" : JSON.stringify({ questions, result, error });
}

/**
 * Copies the members of a record by name. Objects from rest elements and copies of them would be slow, and take twice the memory.
 */
function headOf(record: Head): Head {
  const { id, version, owner, revision, status, statusMessage, createdAt, lastUpdatedAt, ttlMs } = record;
  const { pollIntervalMs, worker, restartable, attempts } = record;
  const head = {
    id,
    version,
    owner: owner && { issuer: owner.issuer, subject: owner.subject },
    revision,
    status,
    statusMessage,
    createdAt,
    lastUpdatedAt,
    ttlMs,
    pollIntervalMs,
    worker,
    restartable,
    attempts,
    // Members that a later version adds are missing here until this line reports them.
  } satisfies Record<keyof Head, unknown>;
  return head as Head;
}

function toRecord({ head, content }: Stored): TaskRecord {
  const parsed = content === "" ? { questions: [] } : (JSON.parse(content) as Pick<TaskRecord, "questions">);
  return Object.assign(headOf(head), parsed);
}

function cursorAfter(page: readonly Stored[]): string | undefined {
  const last = page.at(-1);
  return last && writeCursor(last.stamp);
}
