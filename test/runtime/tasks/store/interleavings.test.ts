import fc from "fast-check";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changeTask } from "../../../../runtime/src/tasks/change-task.js";
import { SqliteTaskStore } from "../../../../runtime/src/tasks/sqlite/sqlite-task-store.js";
import { MemoryTaskStore } from "../../../../runtime/src/tasks/store/memory-task-store.js";
import { hasEnded, type TaskRecord } from "../../../../runtime/src/tasks/task-record.js";
import type { TaskStore } from "../../../../runtime/src/tasks/task-store.js";
import { answerQuestions, askQuestion, endTask } from "../../../../runtime/src/tasks/task-transitions.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { databases } from "../../sqlite/open-database.js";
import { ada, newTask, otherAda, request } from "../new-task.js";

const processes = 3;
const ids = ["t0", "t1", "t2", "t3"] as const;

/** What the calls of all processes did to one task, as they were reported to the callers. */
interface History {
  created: number;
  deleted: number;
  /** The versions that callers stored, claims included. */
  readonly versions: number[];
  /** The ends that callers stored. */
  readonly ends: string[];
  readonly attempts: number[];
  /** Answers by key, as they were stored. */
  readonly answers: Map<string, unknown>;
}

const command = fc.record({
  does: fc.constantFrom("create", "ask", "answer", "complete", "cancel", "claim", "retire", "beat", "delete", "steal"),
  process: fc.nat(processes - 1),
  id: fc.constantFrom(...ids),
});
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

/** Commands of one batch run at the same time. */
const batches = fc.array(fc.array(command, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 12 });

/** A task with an answered question is deleted, and its id is used again in the same way, which random scripts rarely do. */
const sameAnswersAgain: [Command[][]] = [
  (["create", "ask", "answer", "delete", "create", "ask", "answer"] as const).map((does) => [
    { does, process: 0, id: "t0" },
  ]),
];

async function run(stores: readonly TaskStore[], script: readonly (readonly Command[])[]): Promise<void> {
  const histories = new Map<string, History>(
    ids.map((id) => [id, { created: 0, deleted: 0, versions: [], ends: [], attempts: [], answers: new Map() }]),
  );
  let steps = 0;
  const reuse = new Set<string>();

  async function execute({ does, process, id }: Command): Promise<void> {
    const store = found(stores[process]);
    const history = found(histories.get(id));
    const worker = `w${process}`;
    const step = steps++;
    /** Changes the task, and notes what was stored. The last call of the function is the one that was stored. */
    const change = async (apply: (record: TaskRecord) => TaskRecord | undefined): Promise<TaskRecord | undefined> => {
      let last: TaskRecord | undefined;
      const after = await changeTask(store, { id, owner: ada }, (record) => (last = apply(record)));
      if (last === undefined || after?.version !== last.version) return undefined;
      history.versions.push(last.version);
      return last;
    };
    if (does === "create") {
      try {
        await store.create(newTask(id, { worker }), request);
        history.created++;
      } catch (error) {
        expect(error).toMatchObject({ reason: "task-exists" });
      }
    } else if (does === "ask") await change((record) => askQuestion(record, { method: "test/ask" }, step));
    else if (does === "answer") {
      const answered = await change((record) => answerQuestions(record, { q1: { step }, q2: { step } }, step));
      for (const { key, answer } of answered?.questions ?? [])
        if (answer?.["step"] === step) {
          if (!reuse.has(id)) expect(history.answers.has(key), `${key} was answered before`).toBe(false);
          history.answers.set(key, answer);
        }
    } else if (does === "complete" || does === "cancel") {
      const outcome =
        does === "complete" ? { status: "completed" as const, result: { step } } : { status: "cancelled" as const };
      if (await change((record) => endTask(record, outcome, step))) history.ends.push(does);
    } else if (does === "claim")
      for (const claimed of await store.claimAbandoned(worker, 2)) {
        expect(hasEnded(claimed)).toBe(false);
        const of = found(histories.get(claimed.id));
        of.versions.push(claimed.version);
        of.attempts.push(claimed.attempts);
      }
    else if (does === "retire") await store.retire(worker);
    else if (does === "beat") await store.heartbeat(worker, 60_000);
    else if (does === "delete") {
      if (await store.delete(id, ada)) history.deleted++;
    } else {
      expect(await store.get(id, otherAda)).toBeUndefined();
      expect(await store.delete(id, otherAda)).toBe(false);
      expect(await store.update(newTask(id, { owner: otherAda, version: 2 }))).toBe(false);
    }
  }

  for (const batch of script) {
    // A deleted id may be created again, which begins its history anew: such ids are only checked for that.
    for (const { does, id } of batch) if (does === "delete") reuse.add(id);
    await Promise.all(batch.map(execute));
    for (const [id, history] of histories) {
      const [first, ...others] = await Promise.all(stores.map(async (store) => store.get(id, ada)));
      for (const other of others) expect(other).toEqual(first);
      expect(first !== undefined).toBe(history.created - history.deleted === 1);
      if (!first || reuse.has(id)) continue;
      expect(history.created).toBe(1);
      expect(history.versions.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: first.version - 1 }, (_, at) => at + 2),
      );
      expect(history.attempts.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: first.attempts - 1 }, (_, at) => at + 2),
      );
      expect(history.ends).toHaveLength(hasEnded(first) ? 1 : 0);
      for (const { key, answer } of first.questions) expect(answer).toEqual(history.answers.get(key));
    }
  }
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("not found");
  return value;
}

describe("random calls of several processes", () => {
  it("keep the tasks of MemoryTaskStore consistent", async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (script) => {
        const store = new MemoryTaskStore();
        await run(Array<TaskStore>(processes).fill(store), script);
      }),
      { numRuns: 300, examples: [sameAnswersAgain] },
    );
  });

  it.each(databases)("keep the tasks of SqliteTaskStore on %s consistent", async (_name, openDatabase) => {
    const folder = temporaryFolder("tasks");
    let file = 0;
    await fc.assert(
      fc.asyncProperty(batches, async (script) => {
        const path = join(folder, `${file++}.db`);
        const stores = Array.from({ length: processes }, () => new SqliteTaskStore(openDatabase(path)));
        try {
          await run(stores, script);
        } finally {
          for (const store of stores) store.close();
        }
      }),
      { numRuns: 25, examples: [sameAnswersAgain] },
    );
  });
});
