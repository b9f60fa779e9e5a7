import { toError } from "../../jsonrpc/error-conversion.js";
import type { TaskRecord, TaskRequest } from "../../tasks/task-record.js";
import type { TaskStore } from "../../tasks/task-store.js";
import type { Principal } from "../../transport/principal.js";

/** The limits that a store under test has to have. */
export interface TaskStoreLimits {
  readonly maxTasks: number;
  /** Of one principal. */
  readonly maxTasksPerOwner: number;
}

/** An open store to test. */
export interface OpenedTaskStore {
  readonly store: TaskStore;
  /** Opens the same tasks as another process would; absent when tasks cannot be shared. `close` closes these stores, too. */
  readonly another?: () => TaskStore | Promise<TaskStore>;
  close(): void | Promise<void>;
}

/** Opens stores to test. */
export interface TaskStoreHarness {
  /** The name of the store in error messages. */
  readonly name: string;
  /** Opens a store without tasks. Each behaviour opens and closes its own. */
  open(limits: TaskStoreLimits): OpenedTaskStore | Promise<OpenedTaskStore>;
}

/** A behaviour that every store of tasks must have. */
export interface TaskStoreBehaviour {
  readonly name: string;
  /**
   * Tests the behaviour.
   * @throws Error with an explanation when the test fails
   */
  readonly run: (harness: TaskStoreHarness) => Promise<void>;
}

/** The stores of a behaviour: two processes, or one store twice. */
export interface Stores {
  readonly a: TaskStore;
  readonly b: TaskStore;
}

export const limits: TaskStoreLimits = { maxTasks: 300, maxTasksPerOwner: 200 };

export const ada: Principal = { issuer: "https://one.example", subject: "ada" };
export const bob: Principal = { issuer: "https://one.example", subject: "bob" };
/** The same subject at another issuer. */
export const otherAda: Principal = { issuer: "https://two.example", subject: "ada" };

export const request: TaskRequest = { method: "test/count", params: { to: 3 }, clientCapabilities: {} };

export function newTask(id: string, members: Partial<TaskRecord> = {}): TaskRecord {
  return {
    id,
    version: 1,
    owner: ada,
    revision: "test",
    status: "working",
    createdAt: 1_000,
    lastUpdatedAt: 1_000,
    ttlMs: null,
    questions: [],
    worker: "worker 1",
    restartable: true,
    attempts: 1,
    ...members,
  };
}

/** Returns the record after the next change. */
export function next(record: TaskRecord, members: Partial<TaskRecord> = {}): TaskRecord {
  return { ...record, ...members, version: record.version + 1 };
}

export async function idsOf(store: TaskStore, owner: Principal | null, revision = "test"): Promise<string[]> {
  const { records } = await store.list({ owner, revision, cursor: undefined, limit: 1_000 });
  return records.map(({ id }) => id);
}

export function behaviour(
  name: string,
  script: (stores: Stores) => Promise<void>,
  wanted: TaskStoreLimits = limits,
): TaskStoreBehaviour {
  return {
    name,
    async run(harness) {
      const opened = await harness.open(wanted);
      try {
        await script({ a: opened.store, b: (await opened.another?.()) ?? opened.store });
      } catch (cause) {
        throw new Error(`${harness.name}: ${name}: ${toError(cause).message}`, { cause });
      } finally {
        await opened.close();
      }
    },
  };
}
