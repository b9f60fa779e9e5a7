import type { Principal } from "../transport/principal.js";
import type { MaybePromise } from "./maybe-promise.js";
import type { TaskRecord, TaskRequest } from "./task-record.js";

/** A part of a list of tasks. */
export interface TaskPage {
  readonly records: readonly TaskRecord[];
  /** Where the next page starts; undefined for the last page. */
  readonly nextCursor: string | undefined;
}

/** Which tasks to list. */
export interface TaskQuery {
  readonly owner: Principal | null;
  /** Only tasks that requests of this revision created. */
  readonly revision: string;
  /** The `nextCursor` of the page before. */
  readonly cursor: string | undefined;
  /** The most tasks of the page. */
  readonly limit: number;
}

/**
 * Where servers keep tasks. One store may serve several processes. Each call happens completely or not at all, and what it did is
 * durable when its promise resolves.
 *
 * - **Changes.** `update` compares the version and then replaces the record in one step, so that of two changes from the same
 *   version one is rejected. A task that has ended never changes again.
 * - **Owners.** Calls that name an owner behave for a task of another one as if it did not exist.
 * - **Expiry.** The store deletes a task `ttlMs` after its creation, in any status. An expired task is never returned again.
 * - **Clock.** The clock of a store never goes back, and a jump of the system clock does not move it while a process runs: it
 *   follows the monotonic clock, and catches up with the system clock when a process opens the store.
 * - **Workers.** A process that runs tasks is a worker, with a random id. It calls `heartbeat` before its first task, and again
 *   several times in each lease. A worker is dead when its lease has passed without a heartbeat; others then claim its tasks.
 *
 * `taskStoreBehaviours` of `@mcpwright/runtime/testing` checks an implementation.
 */
export interface TaskStore {
  /**
   * Adds a task. Other calls find it when the promise resolves.
   * @param record with version 1
   * @param request of a task that can run again
   * @throws TaskStoreError `too-many-tasks` or `too-many-tasks-of-owner` at a limit, `task-exists` when the id is in use
   * @throws TypeError when a value is not JSON
   */
  create(record: TaskRecord, request?: TaskRequest): MaybePromise<void>;
  /** Returns a task; undefined when it does not exist, has expired, or belongs to another owner. */
  get(id: string, owner: Principal | null): MaybePromise<TaskRecord | undefined>;
  /** Returns the request that created a task; undefined as for `get`, and when the task was created without one. */
  getRequest(id: string, owner: Principal | null): MaybePromise<TaskRequest | undefined>;
  /**
   * Replaces a record if the version of the stored one is `record.version - 1` and its status is not final.
   * @param record with the id, owner, revision and `createdAt` of the stored one
   * @returns false when nothing was changed, because another change was faster, or the task has ended or no longer exists
   * @throws TypeError when a value is not JSON
   */
  update(record: TaskRecord): MaybePromise<boolean>;
  /** Deletes a task in any status. Returns false when there is none. */
  delete(id: string, owner: Principal | null): MaybePromise<boolean>;
  /**
   * Returns tasks in the order of their creation. Tasks that are created or deleted between two pages do not move others.
   * @throws TaskStoreError `invalid-cursor`
   */
  list(query: TaskQuery): MaybePromise<TaskPage>;
  /**
   * States that a worker is alive.
   * @param leaseMs how long the worker counts as alive without another heartbeat
   */
  heartbeat(worker: string, leaseMs: number): MaybePromise<void>;
  /** Ends the lease of a worker at once: others can claim its tasks. */
  retire(worker: string): MaybePromise<void>;
  /**
   * Makes a worker the worker of tasks that have not ended and whose worker is dead, and adds 1 to their `attempts` and `version`. Each
   * task goes to one of several callers. Call it as often as `heartbeat`: a store may count the time between its calls.
   * @param limit the most tasks
   * @returns the claimed tasks, the oldest first
   */
  claimAbandoned(worker: string, limit: number): MaybePromise<readonly TaskRecord[]>;
  /**
   * Calls a function with the id of each task that was created, changed, deleted or has expired. Changes by other processes arrive
   * later, or, for deletions, not at all.
   * @returns a function that ends the subscription
   */
  subscribe(listener: (id: string) => void): () => void;
}
