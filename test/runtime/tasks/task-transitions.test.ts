import { describe, expect, it } from "vitest";
import { changeTask } from "../../../runtime/src/tasks/change-task.js";
import { MemoryTaskStore } from "../../../runtime/src/tasks/store/memory-task-store.js";
import type { TaskRecord } from "../../../runtime/src/tasks/task-record.js";
import {
  answerQuestions,
  askQuestion,
  describeTask,
  endTask,
  outstandingQuestions,
  withdrawQuestion,
} from "../../../runtime/src/tasks/task-transitions.js";
import { ada, newTask, otherAda, request } from "./new-task.js";

const question = { method: "elicitation/create", params: { message: "Which?" } };
const yes = { action: "accept" };

function asked(times: number): TaskRecord {
  let record: TaskRecord | undefined = newTask("t");
  for (let at = 0; at < times; at++) record = record && askQuestion(record, question, 1_000 + at);
  if (!record) throw new Error("not asked");
  return record;
}

describe("the changes of a task", () => {
  it("asks questions under keys that were never used", () => {
    const record = asked(2);
    expect(record).toMatchObject({ status: "input_required", version: 3, lastUpdatedAt: 1_002 });
    const answered = answerQuestions(record, { q1: yes, q2: yes }, 0);
    expect(answered && askQuestion(answered, question, 0)?.questions.map(({ key }) => key)).toEqual(["q1", "q2", "q3"]);
  });

  it("is working again when no question is outstanding", () => {
    const half = answerQuestions(asked(2), { q2: yes, q9: yes, constructor: yes }, 2_000);
    expect(half).toMatchObject({ status: "input_required", version: 4, lastUpdatedAt: 2_000 });
    expect(half && outstandingQuestions(half).map(({ key }) => key)).toEqual(["q1"]);
    expect(half && withdrawQuestion(half, "q1", 2_000)).toMatchObject({ status: "working" });
    expect(half && answerQuestions(half, { q1: yes }, 2_000)).toMatchObject({
      status: "working",
      questions: [{ answer: yes }, { answer: yes }],
    });
  });

  it("ignores answers to nothing, to answered and to withdrawn questions", () => {
    const record = asked(1);
    expect(answerQuestions(record, {}, 0)).toBeUndefined();
    expect(answerQuestions(record, { q2: yes }, 0)).toBeUndefined();
    const answered = answerQuestions(record, { q1: yes }, 0);
    expect(answered && answerQuestions(answered, { q1: { action: "decline" } }, 0)).toBeUndefined();
    expect(answered && withdrawQuestion(answered, "q1", 0)).toBeUndefined();
    const withdrawn = withdrawQuestion(record, "q1", 0);
    expect(withdrawn && answerQuestions(withdrawn, { q1: yes }, 0)).toBeUndefined();
  });

  it.each([
    { status: "completed", result: { content: [] } },
    { status: "failed", error: { code: -32603, message: "no" }, statusMessage: "no" },
    { status: "cancelled" },
  ] as const)("ends once: $status", (outcome) => {
    const described = describeTask(asked(1), "half done", 3_000);
    const ended = described && endTask(described, outcome, 2_000);
    expect(ended).toMatchObject({ ...outcome, questions: [], version: 4, lastUpdatedAt: 3_001 });
    expect(ended?.statusMessage).not.toBe("half done");
    if (!ended) return;
    expect(endTask(ended, { status: "cancelled" }, 0)).toBeUndefined();
    expect(askQuestion(ended, question, 0)).toBeUndefined();
    expect(answerQuestions(ended, { q1: yes }, 0)).toBeUndefined();
    expect(withdrawQuestion(ended, "q1", 0)).toBeUndefined();
    expect(describeTask(ended, "late", 0)).toBeUndefined();
  });
});

describe("changeTask", () => {
  it("decides again when another change was faster", async () => {
    const store = new MemoryTaskStore();
    store.create(asked(1), request);
    const stale = store.get("t", ada);
    if (!stale) throw new Error("not stored");
    await changeTask(store, { id: "t", owner: ada }, (record) => endTask(record, { status: "cancelled" }, 0));
    const seen: string[] = [];
    const after = await changeTask(store, stale, (record) => {
      seen.push(record.status);
      return answerQuestions(record, { q1: yes }, 0);
    });
    expect(seen).toEqual(["input_required", "cancelled"]);
    expect(after?.status).toBe("cancelled");
  });

  it("does not decide by a record that the caller read before", async () => {
    const store = new MemoryTaskStore();
    const stale = newTask("t");
    store.create(stale, request);
    await changeTask(store, { id: "t", owner: ada }, (record) => askQuestion(record, question, 0));
    expect(await changeTask(store, stale, (record) => answerQuestions(record, { q1: yes }, 0))).toMatchObject({
      status: "working",
      version: 3,
    });
  });

  it("finds no task of another owner", async () => {
    const store = new MemoryTaskStore();
    store.create(newTask("t"), request);
    for (const owner of [otherAda, null])
      expect(
        await changeTask(store, { id: "t", owner }, (record) => endTask(record, { status: "cancelled" }, 0)),
      ).toBeUndefined();
    expect(store.get("t", ada)?.status).toBe("working");
  });

  it("gives up when every change is rejected", async () => {
    const store = new MemoryTaskStore();
    store.create(newTask("t"), request);
    store.update = () => false;
    await expect(
      changeTask(store, { id: "t", owner: ada }, (record) => endTask(record, { status: "cancelled" }, 0)),
    ).rejects.toMatchObject({ code: "STORE_FAILED", reason: "conflict" });
  });
});
